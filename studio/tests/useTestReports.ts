import {useLakeReport} from '../live/useLakeReport.ts'
import {isLake} from '../running.ts'
import type {ReviewedTests, SiteTests, TestRun} from './report.ts'

/** Milliseconds between two looks for a new report: Studio stays open for days. */
const INTERVAL = 5 * 60_000

/** The same for a review: a reviewer waits for CI. */
const REVIEW_INTERVAL = 20_000

/** The last runs of the tests of all sites. Empty until they are known, and with hosted Sanity. */
export function useTestRuns(): ReadonlyMap<string, TestRun> {
  const told = useLakeReport<{sites: (TestRun & {site: string})[]}>(isLake ? '/tests' : undefined, INTERVAL)
  return new Map(told?.sites.map((run) => [run.site, run]))
}

type TestsOfSite = {
  /** The last run. */
  readonly report: SiteTests | null
  /** Of the changes that are reviewed. */
  readonly reviewed: readonly ReviewedTests[]
}

/** The last run of the tests of a site. @param siteId undefined: there is none to ask for */
export function useSiteTests(siteId: string | undefined): SiteTests | undefined {
  const url = siteId === undefined || !isLake ? undefined : `/tests/${siteId}`
  return useLakeReport<TestsOfSite>(url, INTERVAL)?.report ?? undefined
}

/** The tests of the changes of a site that are reviewed. Undefined until they are known. */
export function useReviewedTests(siteId: string): readonly ReviewedTests[] | undefined {
  return useLakeReport<TestsOfSite>(`/tests/${siteId}`, REVIEW_INTERVAL)?.reviewed
}
