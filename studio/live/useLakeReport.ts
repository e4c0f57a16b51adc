import {useEffect, useState} from 'react'
import {useClient} from 'sanity'
import {API_VERSION} from './apiVersion.ts'

/**
 * Follows a route of the lake while Studio is visible. Undefined until it can be read: a lake that is unreachable shows in
 * other ways, and hosted Sanity has no such routes.
 * @param url undefined: sends no request
 * @param interval milliseconds between two requests
 */
export function useLakeReport<T>(url: string | undefined, interval: number): T | undefined {
  const client = useClient({apiVersion: API_VERSION})
  const [told, setTold] = useState<{url: string; report: T}>()
  useEffect(() => {
    if (url === undefined) return undefined
    const stop = new AbortController()
    const load = () => {
      if (document.hidden) return
      client.request<T>({url, signal: stop.signal, tag: 'handrail.report'}).then(
        (report) => {
          if (!stop.signal.aborted) setTold({url, report})
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
  }, [client, url, interval])
  // Not the one of another site, while this one’s is not known yet.
  return told !== undefined && told.url === url ? told.report : undefined
}
