import {exact} from '../actions/run/json.ts'
import {isRecord, jsonIn} from '../schemas/record.ts'
import {normalizePath} from '../schemas/rules/paths/normalizePath.ts'
import {parsePage} from '../schemas/rules/paths/page.ts'
import type {Expectation} from '../schemas/rules/tests/toolTests.ts'
import {describeExpectation, entries, nameOf} from '../schemas/rules/tests/words.ts'
import {capital, shortened, shown} from '../schemas/rules/text.ts'
import {dataOf, findMember} from './member.ts'
import {mismatchOf} from './outputSchema.ts'
import {shapeOf} from './shape.ts'

/** What came of a call. */
export type Outcome =
  | {readonly kind: 'result'; readonly value: unknown}
  | {readonly kind: 'error'; readonly message: string}
  /** The call did not end in time. */
  | {readonly kind: 'timeout'}

/** A call of a tool, as a runner saw it. */
export type FinishedCall = {
  readonly outcome: Outcome
  readonly milliseconds: number
  /** The path that the page went to, with its query. Undefined: it stayed. */
  readonly wentTo?: string | undefined
  /** The status of that page, if it is known. */
  readonly wentStatus?: number | undefined
}

/** What the judge knows of the tool. */
export type JudgedTool = {
  readonly readsOnly: boolean
  /** The members that entries of its list have, by the names that an editor chose. */
  readonly members?: readonly string[] | undefined
  /** Whether the page asks the visitor before a call. Undefined: it is not known. */
  readonly asks?: boolean | undefined
  /** Undefined: the tool has none. */
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined
}

/** What is wrong with a call, in sentences. None: the test passed. */
export type Verdict = {readonly failures: string[]; readonly warnings: string[]}

/** Milliseconds after which a call is too slow: agents wait, and so do the people who use them. */
export const SLOW = 5_000

/** Milliseconds after which a runner gives a call up. */
export const TIMEOUT = 30_000

/** Chrome recommends fewer characters, and clients cut off or refuse results that are much longer. */
const MANY_CHARACTERS = 1_500
const MOST_BYTES = 16 * 1_024

const LONGEST_MESSAGE = 200
const LONGEST_SENTENCE = 400

/**
 * Judges a call by what a test expects of it. Never throws, whatever the result is, and its sentences are short.
 * @param slow milliseconds after which a call is too slow
 */
export function judge(
  expect: readonly Expectation[],
  call: FinishedCall,
  tool: JudgedTool,
  slow: number = SLOW,
): Verdict {
  const {failures, warnings} = judgeOutcome(expect, call, tool)
  const {outcome, milliseconds} = call
  if (milliseconds > slow && outcome.kind !== 'timeout')
    failures.push(
      `The call took ${seconds(milliseconds)}: more than ${seconds(slow)}, so agents may give up.`,
    )
  const short = (sentence: string) => shortened(sentence, LONGEST_SENTENCE)
  return {failures: failures.map(short), warnings: warnings.map(short)}
}

function judgeOutcome(
  expect: readonly Expectation[],
  {outcome, milliseconds, wentTo, wentStatus}: FinishedCall,
  tool: JudgedTool,
): Verdict {
  const failure = expect.find(({kind}) => kind === 'fails')
  switch (outcome.kind) {
    case 'timeout':
      return failed(`The call did not end within ${seconds(milliseconds)}.`)
    case 'error': {
      const said = `“${shortened(outcome.message, LONGEST_MESSAGE)}”`
      if (failure === undefined) return failed(`The call failed: ${said}${/[.!?…]”$/.test(said) ? '' : '.'}`)
      if (includes(outcome.message, failure.value)) return {failures: [], warnings: []}
      return failed(`The call failed and said ${said}, and not ${shown(failure.value)}.`)
    }
    case 'result': {
      const json = jsonOf(outcome.value)
      const data = dataFor(outcome.value)
      if (failure === undefined)
        return judgeResult(expect, {value: outcome.value, json, data}, {wentTo, wentStatus}, tool)
      const wanted = describeExpectation(failure).replace('the call fails', 'The call should fail')
      return failed(`${wanted.replace('and says', 'and say')}, but it returned ${shapeOf(data)}.`)
    }
  }
}

function failed(sentence: string): Verdict {
  return {failures: [sentence], warnings: []}
}

function judgeResult(
  expect: readonly Expectation[],
  {value, json, data}: {readonly value: unknown; readonly json: string | undefined; readonly data: unknown},
  {wentTo, wentStatus = 200}: Pick<FinishedCall, 'wentTo' | 'wentStatus'>,
  {readsOnly, asks = true, members = [], outputSchema}: JudgedTool,
): Verdict {
  const sentences: Verdict = {failures: [], warnings: []}
  const {failures, warnings} = sentences
  if (value === undefined || (value === null && outputSchema === undefined)) {
    // A page that goes elsewhere ends the script.
    if (wentTo === undefined) {
      const nothing = 'The call returned nothing'
      if (readsOnly) failures.push(`${nothing}.`)
      else warnings.push(`${nothing}, so an agent cannot tell what came of it.`)
    }
  } else if (json === undefined) failures.push('The result cannot be sent to an agent: it is not JSON.')
  else {
    const bytes = new TextEncoder().encode(json).length
    if (bytes > MOST_BYTES)
      failures.push(`The result has ${kilobytes(bytes)}: return at most 16 KB, only what the agent needs.`)
    else if (json.length > MANY_CHARACTERS)
      warnings.push(
        `The result has ${json.length.toLocaleString('en-US')} characters: more than the 1,500 that Chrome recommends.`,
      )
  }
  if (readsOnly && wentTo !== undefined)
    warnings.push(`The page went to ${shortened(wentTo, 100)}, although the tool says that it only reads.`)
  if (wentTo !== undefined && wentStatus >= 400)
    failures.push(`The page went to ${shortened(wentTo, 100)}, which returned ${wentStatus}.`)
  if (!asks && expect.some(({kind}) => kind === 'asksVisitor'))
    failures.push('The page does not ask the visitor before this call.')
  const nothing = isRecord(data) && data.found === 0 ? data.message : undefined
  for (const one of expect) {
    const problem = one.kind === 'goesTo' ? elsewhere(one.value, wentTo) : unmet(one, data, outputSchema)
    const reason = problem && nothing ? `The call found nothing: ${shapeOf(nothing)}.` : problem
    if (reason !== undefined && !failures.includes(reason)) failures.push(reason)
  }
  const mismatch = outputSchema && data !== undefined && !nothing ? mismatchOf(data, outputSchema) : undefined
  if (mismatch !== undefined) failures.push(mismatch)
  const entries = Array.isArray(data) ? data.filter(isRecord) : []
  const gone = members.filter((name) => !entries.some((entry) => Object.hasOwn(entry, name)))
  if (entries.length > 0 && gone.length > 0)
    failures.push(`No entry has ${gone.map(shown).join(' or ')}: the website may have renamed it.`)
  return sentences
}

function elsewhere(wanted: string, wentTo: string | undefined): string | undefined {
  const page = shortened(wanted, 100)
  if (wentTo === undefined) return `The page stayed where it is, and should go to ${page}.`
  return isOnPage(wanted, wentTo)
    ? undefined
    : `The page went to ${shortened(wentTo, 100)}, and not to ${page}.`
}

/** Whether an address is that of a page, whose query counts only if it has one. */
export function isOnPage(page: string, address: string): boolean {
  const [wanted, actual] = [parsePage(page), parsePage(address)]
  return (
    wanted.ok &&
    actual.ok &&
    normalizePath(wanted.value.path) === normalizePath(actual.value.path) &&
    (wanted.value.query === '' || wanted.value.query === actual.value.query)
  )
}

function unmet(
  {kind, member, value}: Expectation,
  data: unknown,
  outputSchema: JudgedTool['outputSchema'],
): string | undefined {
  if (kind === 'succeeds' || kind === 'asksVisitor') return undefined
  if (kind === 'outputSchema')
    return outputSchema === undefined ? 'The tool has no output schema.' : undefined
  const found = findMember(data, member)
  if (!found.ok) return found.problem
  const part = capital(nameOf(member))
  const is = shapeOf(found.value)
  switch (kind) {
    case 'equals':
      return isSame(found.value, value) ? undefined : `${part} is ${is}, and not ${shown(value)}.`
    case 'contains':
      return contains(found.value, value)
        ? undefined
        : `${part} does not contain ${shown(value)}: it is ${is}.`
    case 'matches':
      return matches(textOf(found.value), value)
        ? undefined
        : `${part} does not match ${shown(value)}: it is ${is}.`
    case 'atLeast':
      if (!Array.isArray(found.value)) return `${part} is not a list: it is ${is}.`
      if (found.value.length >= Number(value)) return undefined
      if (found.value.length === 0)
        return `${part} is an empty list, and should have at least ${entries(Number(value))}.`
      return `${part} has only ${entries(found.value.length)}, and should have at least ${Number(value)}.`
    default:
      return undefined
  }
}

/** A text, or JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (jsonOf(value) ?? '')
}

/** What an agent gets of a value, without getters and other surprises. Undefined: JSON cannot hold it. */
export function dataFor(value: unknown): unknown {
  return dataOf(jsonIn(jsonOf(value) ?? ''))
}

/** The JSON that an agent gets of a value; undefined: it cannot be sent. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

function isSame(value: unknown, typed: string): boolean {
  if (typeof value === 'string') return value === typed
  // A tool returns a long identifier as a text, or rounded.
  return [exact(typed), typed].some((text) => {
    const json = jsonIn(text)
    return json !== undefined && sorted(json) === sorted(value)
  })
}

/** JSON with the members of each object in order. */
function sorted(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) => {
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  })
}

function contains(value: unknown, typed: string): boolean {
  return Array.isArray(value)
    ? value.some((entry) => includes(textOf(entry), typed))
    : includes(textOf(value), typed)
}

/** Case does not count: editors think of words. */
function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}

/** Characters that a pattern is applied to, so that a careless one cannot run for minutes. */
const LONGEST_MATCHED = 5_000

function matches(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text.slice(0, LONGEST_MATCHED))
  } catch {
    return false
  }
}

/** A duration as people read it. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1).replace(/\.0$/, '')} s`
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_024).toLocaleString('en-US')} KB`
}
