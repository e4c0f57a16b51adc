import {useEffect, useState} from 'react'
import {useClient} from 'sanity'
import {API_VERSION} from '../live/apiVersion.ts'
import {parseReviewed, parseRuns, parseSiteTests} from './report.ts'

/** Milliseconds between two looks for a new report: Studio stays open for days. */
const INTERVAL = 5 * 60_000

/** The same for a review: a reviewer waits for CI. */
const REVIEW_INTERVAL = 20_000

/** The last runs of the tests of all sites. Empty until they are known. @param isLake hosted Sanity has none */
export function useTestRuns(isLake: boolean) {
  return useReport(isLake ? '/tests' : undefined, parseRuns) ?? NONE
}

const NONE: ReturnType<typeof parseRuns> = new Map()

/** The last run of the tests of a site. @param siteId undefined: there is none to ask for */
export function useSiteTests(siteId: string | undefined) {
  return useReport(siteId === undefined ? undefined : `/tests/${siteId}`, parseSiteTests)
}

/** The tests of the changes of a site that are reviewed. Undefined until they are known. */
export function useReviewedTests(siteId: string) {
  return useReport(`/tests/${siteId}`, parseReviewed, REVIEW_INTERVAL)
}

/** Undefined if it cannot be read: what tests said is not worth an error. */
function useReport<T>(
  url: string | undefined,
  parse: (body: unknown) => T,
  interval = INTERVAL,
): T | undefined {
  const client = useClient({apiVersion: API_VERSION})
  const [told, setTold] = useState<{url: string; report: T}>()
  useEffect(() => {
    if (url === undefined) return undefined
    const stop = new AbortController()
    const load = () => {
      if (document.hidden) return
      client.request({url, signal: stop.signal, tag: 'handrail.tests'}).then(
        (body: unknown) => {
          if (!stop.signal.aborted) setTold({url, report: parse(body)})
        },
        () => {},
      )
    }
    load()
    const timer = setInterval(load, interval)
    // People look at CI in another tab, and come back.
    window.addEventListener('focus', load)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', load)
      stop.abort()
    }
  }, [client, url, parse, interval])
  // Not the one of another site, while this one’s is not known yet.
  return told !== undefined && told.url === url ? told.report : undefined
}
