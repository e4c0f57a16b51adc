import {parseTests, type ToolTest} from '../../schemas/fields/tests.ts'
import {isRecord} from '../../schemas/record.ts'
import {judge, type Verdict} from '../../verdicts/judge.ts'
import {keepInTab, keptInTab} from '../tabStorage.ts'

/** A test that runs, in the storage of the tab: a page that goes elsewhere ends it, and the next page judges it. */
const KEY = 'handrail-panel-test'

/** Milliseconds after which another page is not where the test led. */
const LONGEST = 60_000

/** What came of a test that led here. */
type Arrival = {
  readonly test: ToolTest
  readonly toolName: string
  /** The page that it ran on. */
  readonly from: string
  readonly verdict: Verdict
}

/** The page that is open, with its query. */
export function here(): string {
  return location.pathname + location.search
}

/** Notes that a test begins. */
export function begin(test: ToolTest, toolName: string, readsOnly: boolean): void {
  keepInTab(KEY, JSON.stringify({test, toolName, readsOnly, from: here(), at: Date.now()}))
}

/** Notes that it has ended on its page. */
export function end(): void {
  keepInTab(KEY, undefined)
}

/** The test that led to this page, judged by where it led. */
export function takeArrival(): Arrival | undefined {
  const kept: unknown = JSON.parse(keptInTab(KEY) ?? 'null')
  end()
  const {test: stored, toolName, readsOnly, from, at} = isRecord(kept) ? kept : {}
  const parsed = parseTests([stored])
  const [test] = parsed.ok ? parsed.value : []
  if (!test || typeof toolName !== 'string' || typeof from !== 'string') return undefined
  if (typeof at !== 'number' || Date.now() - at > LONGEST) return undefined
  const outcome = {kind: 'result', value: undefined} as const
  const call = {outcome, milliseconds: 0, wentTo: here() === from ? undefined : here()}
  return {test, toolName, from, verdict: judge(test.expect, call, {readsOnly: readsOnly === true})}
}
