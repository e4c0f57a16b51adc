import {isRecord} from '../../record.ts'
import {accept, type Parsed, parseEach, refuse} from '../parsed.ts'
import {parseSelector} from '../selector.ts'
import type {Row} from '../text.ts'

/** What else must hold on the pages of a tool. The page decides about selectors, the service about times. */
export type OfferedWhile = {
  /** Selectors of what the page must have, and must not have. */
  readonly has: readonly string[]
  readonly hasNot: readonly string[]
  /** Milliseconds since 1970: the first one with the tool, and the first one without. */
  readonly from?: number
  readonly until?: number
}

/** The conditions that a page gets. A list is there only if it is not empty. */
export type PageConditions = {readonly has?: readonly string[]; readonly hasNot?: readonly string[]}

/** The titles of the conditions, by their names. */
export const CONDITION_TITLES = {
  has: 'The page has',
  hasNot: 'The page does not have',
  from: 'From',
  until: 'Until',
} as const

/** More than a person can think of at once. Each costs the page a search whenever it changes. */
const MAX_SELECTORS = 10

/** The conditions of a tool. Without any, it is offered whenever it is enabled. */
export function parseOfferedWhile(value: unknown): Parsed<OfferedWhile> {
  if (value === undefined || value === null) return accept({has: [], hasNot: []})
  if (!isRecord(value)) return refuse('The conditions must be an object.')
  // Ignored, a misspelled condition would offer the tool to everybody.
  const unknown = Object.keys(value).find((name) => !name.startsWith('_') && !(name in CONDITION_TITLES))
  if (unknown !== undefined)
    return refuse(
      `There is no condition “${unknown}”: write one of ${Object.keys(CONDITION_TITLES).join(', ')}.`,
      [unknown],
    )
  const has = parseSelectors(value.has, CONDITION_TITLES.has)
  if (!has.ok) return has
  const hasNot = parseSelectors(value.hasNot, CONDITION_TITLES.hasNot)
  if (!hasNot.ok) return hasNot
  const from = parseTime(value.from)
  if (!from.ok) return from
  const until = parseTime(value.until)
  if (!until.ok) return until
  return accept({
    has: has.value,
    hasNot: hasNot.value,
    ...(from.value !== undefined && {from: from.value}),
    ...(until.value !== undefined && {until: until.value}),
  })
}

function parseSelectors(value: unknown, title: string): Parsed<string[]> {
  return parseEach(value, `“${title}”`, MAX_SELECTORS, (entry) => {
    const selector = parseSelector(entry)
    return selector.ok ? selector : refuse(`In “${title}”: ${selector.problem}`)
  })
}

const UTC = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(\.\d+)?)?Z$/

/** A time in UTC. `Date` would make March 1 of February 30. */
function parseTime(value: unknown): Parsed<number | undefined> {
  if (value === undefined || value === null) return accept(undefined)
  const [, toTheMinute] = (typeof value === 'string' && UTC.exec(value)) || []
  const time = new Date(toTheMinute === undefined ? Number.NaN : String(value))
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(String(toTheMinute))
    ? accept(time.getTime())
    : refuse('There is no such time. Write a date and a time in UTC, such as 2026-12-24T18:00:00Z.')
}

/** What the page decides. Undefined: nothing. */
export function pageConditions({has, hasNot}: OfferedWhile): PageConditions | undefined {
  if (has.length === 0 && hasNot.length === 0) return undefined
  return {...(has.length > 0 && {has}), ...(hasNot.length > 0 && {hasNot})}
}

/** The conditions that are set, in words. */
export function describeConditions({has, hasNot, from, until}: OfferedWhile): Row[] {
  return [
    {title: CONDITION_TITLES.has, text: has.join(' and ')},
    {title: CONDITION_TITLES.hasNot, text: hasNot.join(' or ')},
    {title: CONDITION_TITLES.from, text: from === undefined ? '' : timeInWords(from)},
    {title: CONDITION_TITLES.until, text: until === undefined ? '' : timeInWords(until)},
  ].filter(({text}) => text !== '')
}

/** A time in words that mean the same for everybody, such as `2026-12-24 18:00 UTC`. */
export function timeInWords(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
