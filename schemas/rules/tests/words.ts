import {formatMemberPath, plainStepsOf} from '../names/memberPath.ts'
import {shortened, shown} from '../text.ts'
import type {Expectation, ExpectationKind} from './toolTests.ts'

/** What an expectation is called in lists. */
export const KIND_TITLES: Readonly<Record<ExpectationKind, string>> = {
  succeeds: 'The call succeeds',
  fails: 'The call fails, and says …',
  exists: 'A part of the result is there',
  equals: 'It is exactly …',
  contains: 'It contains …',
  matches: 'It matches a pattern (for developers)',
  atLeast: 'A list has at least …',
  outputSchema: 'The result matches the output schema',
  asksVisitor: 'The page asks the visitor first',
  goesTo: 'The page goes to …',
}

/** Why a form cannot be tested. */
export const WAITS_FOR_PERSON =
  'The form waits for a person. Only forms with “Submit without asking” can be tested.'

/** What a test expects, in words. */
export function describeExpectation({kind, member, value}: Expectation): string {
  const part = nameOf(member)
  switch (kind) {
    case 'succeeds':
      return 'the call succeeds'
    case 'fails':
      return value === '' ? 'the call fails' : `the call fails and says ${shown(value)}`
    case 'exists':
      return `the result has ${part}`
    case 'equals':
      return `${part} is ${shown(value)}`
    case 'contains':
      return `${part} contains ${shown(value)}`
    case 'matches':
      return `${part} matches ${shown(value)}`
    case 'atLeast':
      return `${part} has at least ${entries(Number(value))}`
    case 'outputSchema':
      return 'the result matches the output schema'
    case 'asksVisitor':
      return 'the page asks the visitor first'
    case 'goesTo':
      return `the page goes to ${shortened(value, 100)}`
  }
}

/** A part of a result in a sentence, such as `“title” of the first entry of “data.items”`. */
export function nameOf(member: string): string {
  if (member === '') return 'the result'
  const parts = plainStepsOf(member) ?? [member]
  const at = parts.findLastIndex((part) => typeof part === 'number')
  if (at < 0) return `“${shortened(member, 60)}”`
  const index = Number(parts[at])
  const list = at === 0 ? '' : ` of ${nameOf(formatMemberPath(parts.slice(0, at)))}`
  const entry = `${index === 0 ? 'the first entry' : `entry ${index + 1}`}${list}`
  return at === parts.length - 1 ? entry : `${nameOf(formatMemberPath(parts.slice(at + 1)))} of ${entry}`
}

/** A number of entries of a list. */
export function entries(count: number): string {
  return count === 1 ? '1 entry' : `${count.toLocaleString('en-US')} entries`
}
