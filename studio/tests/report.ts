import {dayOf} from '../siteReports/times.ts'

/** The last reported run of the tests of a site, or of one tool in it. */
type TestCounts = {
  readonly passed: number
  readonly failed: number
  /** ISO 8601. Undefined: all passed. */
  readonly failsSince?: string
}

export type TestRun = TestCounts & {
  /** ISO 8601. */
  readonly at: string
  /** Empty: not known. */
  readonly commit: string
}

type ToolTests = TestCounts & {
  readonly id: string
  readonly name: string
  /** The first line of the first failure. */
  readonly problem: string
}

export type SiteTests = TestRun & {readonly tools: readonly ToolTests[]}

/** The tests of a change that is reviewed, at the revision that is to be published. */
export type ReviewedTests = Omit<TestRun, 'failsSince'> & {
  /** The id of the published document. */
  readonly document: string
  readonly revision: string
  /** The first line of the first failure. */
  readonly problem: string
}

/** What the tests of a reviewed change say. @param tests undefined: they have not run on this revision */
export function describeReviewed(tests: ReviewedTests | undefined): string {
  if (tests === undefined) return 'The tests have not run on this version yet.'
  const {commit, passed, failed, problem} = tests
  const where = commit === '' ? ' on this version' : ` on this version (${shortCommit(commit)})`
  return failed === 0
    ? `Tests passed${where}.`
    : `${failed} of ${passed + failed} tests failed${where}: ${problem}`
}

/** What came of tests: "Tests passed", or "2 of 14 tests fail since Tuesday". Undefined: none ran. */
export function describeCounts({passed, failed, failsSince}: TestCounts, now: number): string | undefined {
  const all = passed + failed
  if (all === 0) return undefined
  if (failed === 0) return all === 1 ? 'The test passed' : 'Tests passed'
  const what = all === 1 ? 'The test fails' : `${failed} of ${all} tests ${failed === 1 ? 'fails' : 'fail'}`
  return failsSince === undefined ? what : `${what} since ${dayOf(Date.parse(failsSince), now)}`
}

/** The beginning of a commit's hash, as Git shows it. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 7)
}
