import {accept, type Parsed, refuse} from '../../rules/parsed.ts'
import {parseVisibleText} from '../../rules/text.ts'

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
const MAX_ENTRIES = 200

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
