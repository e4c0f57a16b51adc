import {type Fields, isRecord} from '../record.ts'
import {EACH, type MemberPath, stepsOf} from '../rules/names/memberPath.ts'
import {accept, BrokenRule, type Parsed, refuse} from '../rules/parsed.ts'
import {parseVisibleText} from '../rules/text.ts'

/**
 * What the entries of a list in a document say.
 * @param parse gets each entry with its field, such as `request.query.0`
 * @throws BrokenRule
 */
export function entriesOf<T>(
  value: unknown,
  field: string,
  what: string,
  most: number,
  parse: (entry: Fields, field: string) => T,
): T[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new BrokenRule(field, `${what} must be a list.`)
  if (value.length > most)
    throw new BrokenRule(field, `${what} has ${value.length} rows: ${most} are the most.`)
  return value.map((entry: unknown, at) => {
    const place = `${field}.${at}`
    if (!isRecord(entry)) throw new BrokenRule(place, `${what} has a row that is not an object.`)
    return parse(entry, place)
  })
}

/** Entries of which the tool returns each by its name. @throws BrokenRule also if two have the same name */
export function namedEntriesOf<T extends {readonly name: string}>(
  ...list: Parameters<typeof entriesOf<T>>
): T[] {
  const [, field] = list
  const entries = entriesOf(...list)
  for (const [at, {name}] of entries.entries()) {
    if (entries.findIndex((one) => one.name === name) !== at)
      throw new BrokenRule(
        `${field}.${at}.name`,
        `“${name}” is returned twice: rename or remove one of them.`,
      )
  }
  return entries
}

/** The name of something that is sent or returned. */
export function parseName(value: unknown, what: string): Parsed<string> {
  const name = parseVisibleText(value, what, 200)
  if (!name.ok) return name
  // Written in an object, it sets what the object inherits from.
  if (name.value.includes('__proto__')) return refuse(`${what} cannot contain “__proto__”: rename it.`)
  return accept(name.value.trim())
}

/** A text that may be missing. */
export function parseOptionalText(value: unknown, what: string, longest: number): Parsed<string | undefined> {
  const isMissing = value === undefined || value === null || value === ''
  return isMissing ? accept(undefined) : parseVisibleText(value, what, longest)
}

/** Rows and entries of a page, if the document does not say how many. */
export const USUAL_PAGE_LIMIT = 30

/** A number of entries. */
export function parseLimit(value: unknown, usual: number): Parsed<number> {
  return parseNumberOf('entries', value ?? usual, MAX_ENTRIES)
}

/** A number of pages: one, if the document does not say how many. */
export function parsePages(value: unknown): Parsed<number> {
  return parseNumberOf('pages', value ?? 1, MAX_PAGES)
}

function parseNumberOf(what: string, value: unknown, most: number): Parsed<number> {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most
    ? accept(value)
    : refuse(`The number of ${what} must be a whole number from 1 to ${most}.`)
}

/** More would keep an agent waiting. */
export const MAX_PAGES = 5

/** More is never useful to an agent: it reads at most some thousand characters. */
export const MAX_ENTRIES = 200

/** The name of an attribute of an element. */
export function parseAttribute(value: unknown): Parsed<string> {
  const name = parseName(value, 'The attribute')
  if (!name.ok) return name
  if (!/^[\p{L}_:][\p{L}\p{N}_:.-]*$/u.test(name.value))
    return refuse(`“${name.value}” is not the name of an attribute: write one like “href” or “datetime”.`)
  return accept(name.value)
}

/** Leads from an element into its shadow root. */
export const INTO = '>>>'

/** More than any API nests what people need. */
const MAX_STEPS = 20

/**
 * A path such as `data.items`, `rows[0].title`, `authors[].name` or `["first.name"]`. Empty: the whole.
 * @param what names it in problems
 */
export function parseMemberPath(value: unknown, what: string): Parsed<MemberPath> {
  if (value === undefined || value === null) return accept([])
  if (typeof value === 'string' && value.trim() === '') return accept([])
  const text = parseVisibleText(value, what, 500)
  if (!text.ok) return text
  const steps = stepsOf(text.value.trim())
  if (typeof steps === 'number')
    return refuse(
      `${what} cannot be read at character ${steps + 1}. Write it like “data.items” or “authors[0].name”.`,
    )
  const common = steps.find((step) => typeof step === 'string' && step in {})
  if (common !== undefined)
    return refuse(`${what} cannot contain “${String(common)}”, because every object has such a member.`)
  if (steps.length > MAX_STEPS) return refuse(`${what} has ${steps.length} steps: ${MAX_STEPS} are the most.`)
  return accept(steps)
}

/** A path to one value. */
export function parsePlainPath(value: unknown, what: string): Parsed<MemberPath> {
  const path = parseMemberPath(value, what)
  if (path.ok && path.value.includes(EACH))
    return refuse(`${what} contains “[]”: write a position instead, as in “items[0].id”.`)
  return path
}

/** Whether two paths differ first where one has a position and the other a name. */
export function isMixed(one: MemberPath, other: MemberPath): boolean {
  const at = one.findIndex((step, place) => step !== other[place])
  return at >= 0 && typeof one[at] !== typeof other[at] && other[at] !== undefined
}

/** A text with parameters: `Nothing was found for “{query}”.` */
export type Template = readonly (string | {readonly parameter: string})[]

/** The parameters of a text, in their order. */
export function parametersIn(template: Template): string[] {
  return template.flatMap((part) => (typeof part === 'string' ? [] : [part.parameter]))
}

/** A text as editors write it, with `{name}` for a parameter. */
export function templateText(template: Template): string {
  return template.map((part) => (typeof part === 'string' ? part : `{${part.parameter}}`)).join('')
}

/** What is wrong with the name of a parameter that an action uses. */
export function parameterProblem(name: string): string | undefined {
  if (name.trim() === '')
    return 'There is “{}” without a name: write the name of a parameter between the braces.'
  const [, member] = /^args\??\.(.+)$/.exec(name) ?? []
  if (member !== undefined) return `Write “{${member}}” instead of “{${name}}”.`
  // Every object has members with these names, so the parameter would never be missing.
  if (name in {}) return `A parameter of an action cannot be called “${name}”: rename it.`
  return undefined
}

/** A fixed value where all values are texts. */
export function fixedText({fixed}: {readonly fixed: unknown}): string {
  return typeof fixed === 'string' ? fixed : JSON.stringify(fixed)
}
