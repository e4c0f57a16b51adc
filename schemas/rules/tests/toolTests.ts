import {isRecord} from '../../record.ts'
import {plainStepsOf} from '../names/memberPath.ts'
import {accept, type Parsed, refuse} from '../parsed.ts'
import {parsePage} from '../paths/page.ts'
import {parseText} from '../text.ts'

/** What a test can expect, with the fields that each kind has. A question mark: it may be empty. */
export const KINDS = {
  succeeds: [],
  fails: ['value?'],
  exists: ['member'],
  equals: ['member?', 'value'],
  contains: ['member?', 'value'],
  matches: ['member?', 'value'],
  atLeast: ['member?', 'value'],
  outputSchema: [],
  asksVisitor: [],
  goesTo: ['value'],
} as const satisfies Record<string, readonly ('member' | 'value' | 'member?' | 'value?')[]>

export type ExpectationKind = keyof typeof KINDS

/** The fields of a kind; none for what is not a kind. */
export function fieldsOf(kind: unknown): readonly string[] {
  return isKind(kind) ? KINDS[kind] : []
}

/** One thing that a test expects of a call. `member` is empty for the whole result. */
export type Expectation = {readonly kind: ExpectationKind; readonly member: string; readonly value: string}

/** Characters of a value. */
export const LONGEST_VALUE = 5_000

/** @param what which test it belongs to, as problems name it */
export function parseExpectation(row: unknown, what: string): Parsed<Expectation> {
  const given = isRecord(row) ? row : {}
  const {kind} = given
  if (!isKind(kind)) {
    const known = Object.keys(KINDS).join(', ')
    return refuse(`What is expected ${what} needs a "kind", one of ${known}.`)
  }
  const texts = {member: '', value: ''}
  for (const field of KINDS[kind]) {
    const name = field === 'member' || field === 'member?' ? 'member' : 'value'
    const label = `${name === 'member' ? 'The part of the result' : 'The value'} in “${kind}” ${what}`
    const text = given[name]
    if (field.endsWith('?') && (text === undefined || text === null || text === '')) continue
    const parsed = parseText(text, label, LONGEST_VALUE)
    if (!parsed.ok) return parsed
    texts[name] = parsed.value
  }
  const problem = problemWith(kind, texts)
  return problem === undefined
    ? accept({kind, ...texts})
    : refuse(`${problem.replace(/[.:]$/, '')} (${what}).`)
}

function isKind(value: unknown): value is ExpectationKind {
  return typeof value === 'string' && Object.hasOwn(KINDS, value)
}

function problemWith(
  kind: ExpectationKind,
  {member, value}: {member: string; value: string},
): string | undefined {
  if (member !== '' && plainStepsOf(member) === undefined)
    return `“${member}” does not name a part of a result: write it as in data[0].title`
  if (kind === 'atLeast' && !/^\d{1,9}$/.test(value)) return `“${value}” is not a whole number`
  if (kind === 'goesTo' && !parsePage(value).ok) return `“${value}” is not the address of a page`
  return kind === 'matches' ? problemOfPattern(value) : undefined
}

/** Repetitions of a group that cannot take minutes, as in `(\d+\.){3}`. */
const FEW = 10

/** What is wrong with a regular expression that a test expects a result to match. */
function problemOfPattern(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u')
  } catch {
    return `“${pattern}” is not a regular expression: check its brackets`
  }
  return repeatsWhatVaries(pattern)
    ? `“${pattern}” repeats a group in which something is repeated, optional or a choice: that can take minutes, so write it without the group`
    : undefined
}

const GROUP = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?([^()]*)\)([*+]|\{(\d+)(,?)(\d*)\})?/

/**
 * Whether a group of various lengths is repeated, as in `(a+)+`: the number of ways to match a text can double with
 * each of its characters.
 * @param pattern a regular expression with the flag `u`
 */
function repeatsWhatVaries(pattern: string): boolean {
  let rest = pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, 'x')
  for (;;) {
    const [group, inside = '', repeated = '', least, comma, most] = GROUP.exec(rest) ?? []
    if (group === undefined) return false
    const isOpen = repeated !== '' && (least === undefined || (comma !== '' && most === ''))
    const isOften = isOpen || Number(most || least) > FEW
    const varies = /[*+?|]|\{\d+,/.test(inside)
    if (varies && isOften) return true
    rest = rest.replace(group, varies || isOpen || comma ? 'x?' : 'x')
  }
}
