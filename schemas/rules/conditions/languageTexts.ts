import {isRecord, recordsIn} from '../../record.ts'
import {parseTitle} from '../names/toolName.ts'
import {accept, type Parsed, parseEach, refuse} from '../parsed.ts'
import {parseDescription, parseText, type Row} from '../text.ts'

/** The texts of a tool in another language. What is missing is as in the tool itself. */
export type LanguageTexts = {
  /** A tag of BCP 47, such as `de` or `pt-BR`. */
  readonly language: string
  readonly title?: string
  readonly description?: string
  /** Of its parameters, or of the fields of its form. */
  readonly parameters?: readonly ParameterText[]
}

type ParameterText = {readonly name: string; readonly description: string}

const MAX_LANGUAGES = 30
const MAX_PARAMETERS = 100

const NAMES = new Intl.DisplayNames('en', {type: 'language'})

/** The texts of a tool in other languages, each language once. */
export function parseLanguageTexts(value: unknown): Parsed<LanguageTexts[]> {
  return parseEach(value, 'The languages', MAX_LANGUAGES, parseTextsOf, ({language}) => language)
}

function parseTextsOf(value: unknown): Parsed<LanguageTexts> {
  if (!isRecord(value)) return refuse('A language must be an object with texts.')
  const language = parseLanguage(value.language)
  if (!language.ok) return language
  const inLanguage = `in “${language.value}”`
  const title = parseTitle(value.title, `The title ${inLanguage}`)
  if (!title.ok) return title
  const description = isMissing(value.description) ? accept(undefined) : parseDescription(value.description)
  if (!description.ok) return refuse(`${inLanguage.replace('in', 'In')}: ${description.problem}`)
  const parameters = parseParameters(value.parameters, inLanguage)
  if (!parameters.ok) return parameters
  if (title.value === undefined && description.value === undefined && parameters.value.length === 0)
    return refuse(`“${language.value}” has no texts: write one of them, or remove the language.`)
  return accept({
    language: language.value,
    ...(title.value !== undefined && {title: title.value}),
    ...(description.value !== undefined && {description: description.value}),
    ...(parameters.value.length > 0 && {parameters: parameters.value}),
  })
}

/** A language as its tag is usually written: https://www.rfc-editor.org/info/bcp47 */
function parseLanguage(value: unknown): Parsed<string> {
  try {
    const [tag] = typeof value === 'string' ? Intl.getCanonicalLocales(value.trim()) : []
    // Longer ones than “de” and “gsw” are reserved: a page never has “german”.
    if (tag !== undefined && /^[a-z]{2,3}(?:-|$)/.test(tag)) return accept(tag)
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

function parseParameters(value: unknown, inLanguage: string): Parsed<ParameterText[]> {
  // Others are texts that were emptied again.
  const written = Array.isArray(value) ? recordsIn(value).filter(({description}) => description) : value
  const parse = (entry: unknown): Parsed<ParameterText> => {
    const {name: given, description: text}: Record<string, unknown> = isRecord(entry) ? entry : {}
    const name = parseText(given, `The name of a parameter ${inLanguage}`, 200)
    if (!name.ok) return name
    const description = parseText(text, `The description of “${name.value}” ${inLanguage}`, 1000)
    return description.ok ? accept({name: name.value, description: description.value}) : description
  }
  return parseEach(written, `The parameters ${inLanguage}`, MAX_PARAMETERS, parse, ({name}) => name)
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null
}

/** The texts of a language, each with what it is of. */
export function describeTexts({language, title, description, parameters = []}: LanguageTexts): Row[] {
  const own = Object.entries({title, description})
  const all = [...own, ...parameters.map((one) => [one.name, one.description] as const)]
  return all.flatMap(([part, text]) =>
    text === undefined ? [] : [{title: nameOfLanguage(language), part, text}],
  )
}
