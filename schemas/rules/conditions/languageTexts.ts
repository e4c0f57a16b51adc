import {parseDescription} from '../description.ts'
import {isRecord} from '../json.ts'
import {parseTitle} from '../names/title.ts'
import {accept, type Parsed, refuse} from '../parsed.ts'
import {parseText} from '../text.ts'

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
  if (value === undefined || value === null) return accept([])
  if (!Array.isArray(value)) return refuse('The languages must be a list.')
  if (value.length > MAX_LANGUAGES)
    return refuse(`There are ${value.length} languages: use ${MAX_LANGUAGES} or fewer.`)
  const texts = new Map<string, LanguageTexts>()
  for (const entry of value) {
    const parsed = parseTextsOf(entry)
    if (!parsed.ok) return parsed
    const {language} = parsed.value
    if (texts.has(language)) return refuse(`“${language}” is in the list twice: remove one of them.`)
    texts.set(language, parsed.value)
  }
  return accept([...texts.values()])
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
export function parseLanguage(value: unknown): Parsed<string> {
  try {
    const [tag] = typeof value === 'string' ? Intl.getCanonicalLocales(value.trim()) : []
    if (tag !== undefined) return accept(tag)
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
  if (isMissing(value)) return accept([])
  if (!Array.isArray(value) || value.length > MAX_PARAMETERS)
    return refuse(`The parameters ${inLanguage} must be a list of ${MAX_PARAMETERS} or fewer.`)
  const parameters = new Map<string, ParameterText>()
  for (const entry of value) {
    const {name: given, description: text}: Record<string, unknown> = isRecord(entry) ? entry : {}
    // A text that was emptied again.
    if (isMissing(text) || text === '') continue
    const name = parseText(given, `The name of a parameter ${inLanguage}`, 200)
    if (!name.ok) return name
    const description = parseText(text, `The description of “${name.value}” ${inLanguage}`, 1000)
    if (!description.ok) return description
    if (parameters.has(name.value))
      return refuse(`“${name.value}” is described twice ${inLanguage}: remove one of them.`)
    parameters.set(name.value, {name: name.value, description: description.value})
  }
  return accept([...parameters.values()])
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null
}

/** The texts of a language, each with what it is of. */
export function describeTexts({
  title,
  description,
  parameters = [],
}: LanguageTexts): [what: string, text: string][] {
  const own = Object.entries({title, description})
  const all = [...own, ...parameters.map((one) => [one.name, one.description] as const)]
  return all.flatMap(([what, text]) => (text === undefined ? [] : [[what, text]]))
}
