import type {ToolTest} from '../../../schemas/rules/tests/toolTests.ts'
import {judge, type Verdict} from '../../../schemas/tests/judge.ts'
import {keepInTab, keptInTab} from '../tabStorage.ts'

/** A test that runs, in the storage of the tab: a page that goes elsewhere ends it, and the next page judges it. */
const KEY = 'handrail-panel-test'

/** Milliseconds after which another page is not where the test led. */
const LONGEST = 60_000

/** What the storage has of a test. */
type Begun = {
  readonly test: ToolTest
  readonly toolName: string
  readonly readsOnly: boolean
  /** The page that it ran on. */
  readonly from: string
  readonly at: number
}

/** The page that is open, with its query. */
export function here(): string {
  return location.pathname + location.search
}

/** Notes that a test begins. */
export function begin(test: ToolTest, toolName: string, readsOnly: boolean): void {
  const begun: Begun = {test, toolName, readsOnly, from: here(), at: Date.now()}
  keepInTab(KEY, JSON.stringify(begun))
}

/** Notes that it has ended on its page. */
export function end(): void {
  keepInTab(KEY, undefined)
}

/** The test that led to this page, judged by where it led. */
export function takeArrival(): (Begun & {readonly verdict: Verdict}) | undefined {
  const begun: Begun | null = JSON.parse(keptInTab(KEY) ?? 'null')
  end()
  if (begun === null || Date.now() - begun.at > LONGEST) return undefined
  const {test, readsOnly, from} = begun
  const outcome = {kind: 'result', value: undefined} as const
  const call = {outcome, milliseconds: 0, wentTo: here() === from ? undefined : here()}
  return {...begun, verdict: judge(test.expect, call, {readsOnly})}
}
