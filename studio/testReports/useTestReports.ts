import {useEffect, useState} from 'react'
import {useClient} from 'sanity'
import {API_VERSION} from '../live/apiVersion.ts'
import {parseRuns, parseSiteTests} from './report.ts'

/** Milliseconds between two looks for a new report: Studio stays open for days. */
const INTERVAL = 5 * 60_000

/** The last runs of the tests of all sites. Empty until they are known. @param isLake hosted Sanity has none */
export function useTestRuns(isLake: boolean) {
  return useReport(isLake ? '/tests' : undefined, parseRuns) ?? NONE
}

const NONE: ReturnType<typeof parseRuns> = new Map()

/** The last run of the tests of a site. @param siteId undefined: there is none to ask for */
export function useSiteTests(siteId: string | undefined) {
  return useReport(siteId === undefined ? undefined : `/tests/${siteId}`, parseSiteTests)
}

/** Undefined if it cannot be read: what tests said is not worth an error. */
function useReport<T>(url: string | undefined, parse: (body: unknown) => T): T | undefined {
  const client = useClient({apiVersion: API_VERSION})
  const [report, setReport] = useState<T>()
  useEffect(() => {
    setReport(undefined)
    if (url === undefined) return undefined
    const stop = new AbortController()
    const load = () =>
      client.request({url, signal: stop.signal, tag: 'handrail.tests'}).then(
        (body: unknown) => {
          if (!stop.signal.aborted) setReport(parse(body))
        },
        () => {},
      )
    void load()
    const timer = setInterval(load, INTERVAL)
    return () => {
      clearInterval(timer)
      stop.abort()
    }
  }, [client, url, parse])
  return report
}
