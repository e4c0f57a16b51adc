import type {ToolTest} from '../../schemas/fields/tests.ts'
import {WAITS_FOR_PERSON} from '../../schemas/rules/tests/words.ts'
import {membersOf} from '../../snippet/members.ts'
import {first, getAttribute} from '../../snippet/page.ts'
import {argumentsOf} from '../../verdicts/arguments.ts'
import {causeOf, type RequestSeen, selectorsIn} from '../../verdicts/cause.ts'
import {type FinishedCall, isOnPage, judge, SLOW, TIMEOUT} from '../../verdicts/judge.ts'
import type {Call} from '../calls.ts'
import type {Present, TestedTool} from '../entries.ts'
import type {Panel} from '../panel.ts'
import {begin, end, here} from './leaving.ts'

/** A test of the page, or an input that may become one. */
export type Row = {
  /** Differs if the test, its tool or its expectations do. */
  readonly key: string
  readonly tool: TestedTool
  readonly test: ToolTest
  /** Why it cannot run here; undefined: it can. */
  readonly problem: string | undefined
}

/** What came of a test. The cause comes first. */
export type TestResult = {
  readonly failures: readonly string[]
  readonly warnings: readonly string[]
  readonly call?: Call | undefined
}

/** Milliseconds between two looks whether the page went elsewhere. */
const PAUSE = 25

/** Milliseconds that requests of a test that failed have to appear in the timeline. */
const SETTLING = 1_000

/** The row of a test on this page. */
export function rowOf(tool: TestedTool, test: ToolTest): Row {
  const {draft, present, reason, version} = tool
  const problem = present
    ? waitsForPerson(present)
      ? WAITS_FOR_PERSON
      : undefined
    : `This page does not offer the tool. ${reason}`.trim()
  return {key: JSON.stringify([draft.id, version, test]), tool, test, problem}
}

/** Whether a form waits until a person submits it. */
export function waitsForPerson({form}: Present): boolean {
  return form !== undefined && getAttribute.call(form, 'toolautosubmit') === null
}

/** Whether a test is for the page that is open. */
export function isHere({page}: ToolTest): boolean {
  return isOnPage(page, here())
}

/** Whether a tool says that it only reads, and its document does not contradict that. */
export function readsOnly({tool, draft}: Pick<Present, 'tool' | 'draft'>): boolean {
  return membersOf(tool.annotations).readOnlyHint === true && draft?.changes !== true
}

/** Whether a test may make the page go elsewhere, so that it ends what else runs. */
export function mayLeave({test, tool}: Row): boolean {
  return expectsToLeave(test) || tool.present?.form !== undefined
}

function expectsToLeave({expect}: ToolTest): boolean {
  return expect.some(({kind}) => kind === 'goesTo')
}

/**
 * Calls a tool as a test says, and judges what came back. Does not return if the page goes elsewhere.
 * @param signal ends the call
 */
export async function runTest(
  {tool: {draft, present, script, outputSchema, asks}, test, problem}: Row,
  panel: Panel,
  signal: AbortSignal,
): Promise<TestResult> {
  if (problem !== undefined || !present) return {failures: [problem ?? ''], warnings: []}
  const before = here()
  const args = argumentsOf(test.arguments, parametersOf(present))
  const judged = {readsOnly: readsOnly(present), members: draft.members, outputSchema, asks}
  begin(test, present.name, judged.readsOnly)
  const requests: RequestSeen[] = []
  const timeline = new PerformanceObserver((list) =>
    requests.push(...list.getEntries().flatMap((entry) => requestIn(entry, panel.base))),
  )
  timeline.observe({type: 'resource'})
  try {
    const called = await panel.call(
      present.tool,
      args,
      AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    )
    const {outcome} = called
    // A form without a result has been sent.
    const isSent = present.form && outcome.kind === 'result' && outcome.value === undefined
    for (
      let waited = 0;
      (expectsToLeave(test) || isSent) && here() === before && waited < SLOW && !signal.aborted;
      waited += PAUSE
    )
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    const finished = {...finishedOf(called), wentTo: here() === before ? undefined : here()}
    const {failures, warnings} = judge(test.expect, finished, judged)
    // The timeline has a request a moment after its answer.
    for (let waited = 0; failures.length > 0 && requests.length === 0 && waited < SETTLING; waited += PAUSE)
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    const line = outcome.kind === 'error' ? outcome.line : undefined
    const missing = selectorsIn(script).filter(matchesNothing)
    const cause =
      failures.length === 0 ? undefined : causeOf(finished, {requests, missing, line, expect: test.expect})
    return {failures: cause === undefined ? failures : [cause, ...failures], warnings, call: called}
  } finally {
    timeline.disconnect()
    end()
  }
}

/** A request of scripts, as the timeline of the page has it; none for other entries, and for those of this panel. */
function requestIn(entry: PerformanceEntry, base: string): RequestSeen[] {
  const {initiatorType, responseStatus, contentType} = membersOf(entry)
  const {origin, pathname, search, href} = new URL(entry.name)
  if (!/^(?:fetch|xmlhttprequest)$/.test(String(initiatorType)) || href.startsWith(base)) return []
  return [
    {
      url: origin === location.origin ? pathname + search : href,
      ...(responseStatus ? {status: Number(responseStatus)} : {failure: 'no response'}),
      contentType: String(contentType ?? ''),
      milliseconds: entry.duration,
    },
  ]
}

function matchesNothing(selector: string): boolean {
  try {
    return first(selector) === null
  } catch {
    return false
  }
}

/** The parameters of a tool. Older browsers have them as JSON. */
export function parametersOf({tool: {inputSchema}}: Present): unknown {
  return typeof inputSchema === 'string' ? JSON.parse(inputSchema) : inputSchema
}

/** A call as the judge sees it. */
export function finishedOf({outcome, duration = TIMEOUT}: Call): FinishedCall {
  const hasEnded = outcome.kind === 'result' || outcome.kind === 'error'
  return {outcome: hasEnded ? outcome : {kind: 'timeout'}, milliseconds: duration}
}
