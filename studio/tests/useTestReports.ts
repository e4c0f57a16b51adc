import {useLakeReport} from '../live/useLakeReport.ts'
import {parseReviewed, parseRuns, parseSiteTests} from './report.ts'

/** Milliseconds between two looks for a new report: Studio stays open for days. */
const INTERVAL = 5 * 60_000

/** The same for a review: a reviewer waits for CI. */
const REVIEW_INTERVAL = 20_000

/** The last runs of the tests of all sites. Empty until they are known. @param isLake hosted Sanity has none */
export function useTestRuns(isLake: boolean) {
  return useLakeReport(isLake ? '/tests' : undefined, parseRuns, INTERVAL) ?? NONE
}

const NONE: ReturnType<typeof parseRuns> = new Map()

/** The last run of the tests of a site. @param siteId undefined: there is none to ask for */
export function useSiteTests(siteId: string | undefined) {
  return useLakeReport(siteId === undefined ? undefined : `/tests/${siteId}`, parseSiteTests, INTERVAL)
}

/** The tests of the changes of a site that are reviewed. Undefined until they are known. */
export function useReviewedTests(siteId: string) {
  return useLakeReport(`/tests/${siteId}`, parseReviewed, REVIEW_INTERVAL)
}
