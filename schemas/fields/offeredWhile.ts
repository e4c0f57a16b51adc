import {refuseUnknown} from '../document.ts'
import {field, parseMembers, ruled, type ValuesOf} from '../field.ts'
import {accept, type Parsed, parseEach, refuse} from '../rules/parsed.ts'
import {parseSelector} from '../rules/selector.ts'
import {type Row, timeInWords} from '../rules/text.ts'

const TITLES = {has: 'The page has', hasNot: 'The page does not have', from: 'From', until: 'Until'} as const

/** More than a person can think of at once. Each costs the page a search whenever it changes. */
const MAX_SELECTORS = 10

function selectors<const Name extends 'has' | 'hasNot'>(name: Name, description: string) {
  const title = TITLES[name]
  const entry = {type: 'string', schema: {pattern: '\\S', maxLength: 1_000}}
  const member = {name, type: 'array', title, description, entry, schema: {maxItems: MAX_SELECTORS}} as const
  return ruled(member, (value) =>
    parseEach(value, `“${title}”`, MAX_SELECTORS, (one) => {
      const selector = parseSelector(one)
      return selector.ok ? selector : refuse(`In “${title}”: ${selector.problem}`)
    }),
  )
}

function time<const Name extends 'from' | 'until'>(name: Name, description: string) {
  const inFiles = 'In UTC, such as 2026-12-24T18:00:00Z.'
  const member = {name, type: 'datetime', title: TITLES[name], description, inFiles} as const
  return ruled(member, parseTime)
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

const MEMBERS = [
  selectors(
    'has',
    'Something that pages show only then, as a CSS selector: such as “.account”, which only visitors see who are signed in.',
  ),
  selectors('hasNot', 'Something that pages do not show then, such as “.cart-empty”.'),
  time('from', 'When the tool is offered first. You see your own time zone.'),
  time('until', 'When the tool is not offered any more. It is gone from all pages a minute later.'),
] as const

/**
 * What else must hold on the pages of a tool: what the page must have, and must not have, and the first time with the tool,
 * and the first one without. The page decides about selectors, the service about times.
 */
export type OfferedWhile = ValuesOf<typeof MEMBERS>

/** Whether it is the time of a tool, in GROQ. */
export const IS_TIME =
  '(!defined(offeredWhile) || coalesce(offeredWhile.from, "") <= now() && coalesce(offeredWhile.until, "9") > now())'

/** The conditions of a tool. Without any, it is offered whenever it is enabled. */
export function parseOfferedWhile(value: unknown): Parsed<OfferedWhile> {
  const given = value ?? {}
  const known = refuseUnknown(MEMBERS, given, 'condition')
  if (!known.ok) return known
  return parseMembers(MEMBERS, given, {missing: 'The conditions must be an object.'})
}

/** The conditions that a page gets. A list is there only if it is not empty. */
type PageConditions = {readonly has?: readonly string[]; readonly hasNot?: readonly string[]}

/** What the page decides. Undefined: nothing. */
export function pageConditions({has, hasNot}: OfferedWhile): PageConditions | undefined {
  if (has.length === 0 && hasNot.length === 0) return undefined
  return {...(has.length > 0 && {has}), ...(hasNot.length > 0 && {hasNot})}
}

/** The conditions that are set, in words. */
function describeConditions({has, hasNot, from, until}: OfferedWhile): Row[] {
  return [
    {title: TITLES.has, text: has.join(' and ')},
    {title: TITLES.hasNot, text: hasNot.join(' or ')},
    {title: TITLES.from, text: from === undefined ? '' : timeInWords(from)},
    {title: TITLES.until, text: until === undefined ? '' : timeInWords(until)},
  ].filter(({text}) => text !== '')
}

/** What else must hold on the pages of a tool or form tool. */
export const offeredWhile = field({
  name: 'offeredWhile',
  type: 'object',
  title: 'Offered while',
  description:
    'Leave this empty to always offer the tool on its pages. Otherwise agents get it only while all of this holds.',
  members: MEMBERS,
  beyond: ['selectors', 'times'],
  form: {options: {collapsible: true, collapsed: true}},
  parse: parseOfferedWhile,
  isServed: true,
  answer: {at: 9, as: pageConditions},
  decidesCode: true,
  rows: describeConditions,
})
