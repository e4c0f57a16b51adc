import {entry, field, line, lines, list, parseMembers, ruled, type ValuesOf} from '../field.ts'
import {isRecord, recordsIn} from '../record.ts'
import {parseTitle} from '../rules/names/toolName.ts'
import {accept, type Parsed, parseEach, parseOptional, refuse} from '../rules/parsed.ts'
import {capital, parseDescription, parseText, type Row} from '../rules/text.ts'

const MAX_LANGUAGES = 30
const MAX_PARAMETERS = 100

const NAMES = new Intl.DisplayNames('en', {type: 'language'})

const PREVIEW = {
  select: {language: 'language', description: 'description'},
  prepare: ({language, description}: Record<string, unknown>) => ({
    title: typeof language === 'string' ? nameOfLanguage(language) : 'New language',
    subtitle: description,
  }),
}

const PARAMETER = [
  ruled(line('name', 'Name', undefined, {names: 'parameter'}), (value, of) =>
    parseText(value, `The name of a parameter ${of}`, 200),
  ),
  ruled(lines('description', 'Description', 2), (value, of) =>
    parseText(value, `The description of ${of}`, 1_000),
  ),
] as const

/** Texts of parameters, or of the fields of a form. Undefined: there are none. */
function parseParameters(value: unknown, of: string): Parsed<ValuesOf<typeof PARAMETER>[] | undefined> {
  // Others are texts that were emptied again.
  const written = Array.isArray(value)
    ? value.filter((one) => !isRecord(one) || Boolean(one.description))
    : value
  const parse = (one: unknown) =>
    parseMembers(PARAMETER, isRecord(one) ? one : {}, {missing: '', of, label: (name) => `“${name}” ${of}`})
  const parsed = parseEach(written, `The parameters ${of}`, MAX_PARAMETERS, parse, ({name}) => name)
  return parsed.ok && parsed.value.length === 0 ? accept(undefined) : parsed
}

const MEMBERS = [
  ruled(
    line('language', 'Language', 'Such as "de", which is also for pages in "de-AT".', {isRequired: true}),
    parseLanguage,
  ),
  ruled(line('title', 'Title', undefined, {schema: {pattern: '\\S', maxLength: 100}}), (value, of) =>
    parseTitle(value, `The title ${of}`),
  ),
  ruled(
    lines('description', 'Description', 4, undefined, {schema: {pattern: '\\S', maxLength: 4_000}}),
    (value, of) => {
      const text = parseOptional(value, parseDescription)
      return text.ok ? text : refuse(`${capital(of)}: ${text.problem}`)
    },
  ),
  ruled(
    list(
      'parameters',
      'Parameters',
      entry('parameter', 'Parameter', PARAMETER, {select: {title: 'name', subtitle: 'description'}}),
    ),
    parseParameters,
  ),
] as const

/** The texts of a tool in another language, with its tag. What is missing is as in the tool itself. */
type LanguageTexts = ValuesOf<typeof MEMBERS>

/** The texts of a tool in other languages, each language once. */
export function parseLanguageTexts(value: unknown): Parsed<LanguageTexts[]> {
  return parseEach(value, 'The languages', MAX_LANGUAGES, parseTexts, ({language}) => language)
}

function parseTexts(value: unknown): Parsed<LanguageTexts> {
  const parsed = parseMembers(MEMBERS, value, {
    missing: 'A language must be an object with texts.',
    label: (language) => `in “${language}”`,
  })
  if (!parsed.ok || Object.keys(parsed.value).length > 1) return parsed
  return refuse(`“${parsed.value.language}” has no texts: write one of them, or remove the language.`)
}

/** A language as its tag is usually written: https://www.rfc-editor.org/info/bcp47 */
function parseLanguage(value: unknown): Parsed<string> {
  try {
    const [tag] = typeof value === 'string' ? Intl.getCanonicalLocales(value.trim()) : []
    const [language = ''] = tag?.split('-') ?? []
    // Longer ones than “de” and “gsw” are reserved: a page never has “german”. Of the short ones, all have a name.
    const isKnown = language.length === 2 ? NAMES.of(language) !== language : /^[a-z]{3}$/.test(language)
    if (tag !== undefined && isKnown) return accept(tag)
  } catch {
    // Not a tag.
  }
  return refuse('There is no such language. Write its tag, such as “de”, “fr” or “pt-BR”.')
}

/** A language in words, such as “German” for `de`; its tag if it has no name, as with an extension: `de-u-co-phonebk`. */
export function nameOfLanguage(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag
  } catch {
    return tag
  }
}

/** The texts of a language, each with what it is of. */
function describeTexts({language, title, description, parameters = []}: LanguageTexts): Row[] {
  const own = Object.entries({title, description})
  const all = [...own, ...parameters.map((one) => [one.name, one.description] as const)]
  return all.flatMap(([part, text]) =>
    text === undefined ? [] : [{title: nameOfLanguage(language), part, text}],
  )
}

/** The texts of a tool in other languages. */
export const texts = field({
  name: 'texts',
  type: 'array',
  title: 'Other languages',
  description:
    'Agents on a page in one of these languages read its texts instead of those above. Leave a text empty to use the one above.',
  entry: entry('language', 'Language', MEMBERS, PREVIEW),
  schema: {maxItems: MAX_LANGUAGES},
  beyond: ['languages', 'duplicates', 'empty entries'],
  form: {fieldset: 'languages'},
  parse: parseLanguageTexts,
  isServed: true,
  answer: {at: 10, as: (texts) => (texts.length > 0 ? texts : undefined)},
  rows: (texts) => texts.flatMap(describeTexts),
})

/** The same of a form tool, which has no title. */
export const formTexts = field({
  ...texts,
  entry: entry(
    'language',
    'Language',
    MEMBERS.filter(({name}) => name !== 'title'),
    PREVIEW,
  ),
  parse: (value) => {
    const titled = recordsIn(value).findIndex(({title}) => (title ?? undefined) !== undefined)
    return titled < 0
      ? parseLanguageTexts(value)
      : refuse('A form tool has no title: remove it from the texts in other languages.', [titled, 'title'])
  },
})
