import {useCallback, useEffect, useMemo, useState} from 'react'
import {useClient, useDocumentValuePermissions, useWorkspace} from 'sanity'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import type {Answer} from '../install/useAnswer.ts'
import {API_VERSION} from '../live/apiVersion.ts'
import {errorWords} from '../saving/errorWords.ts'
import {referenceToSite} from '../siteReference.ts'
import {fetchSiteReport} from './source.ts'

/** A report of the service about a site. */
export type ReportKind<Body, T> = {
  /** Below the site's own URL. */
  readonly route: string
  readonly parse: (body: Body) => T
  /** Milliseconds between two requests while Studio is visible. */
  readonly interval: number
}

/** The last report, and a function that asks for one at once. */
export type FollowedReport<T> = {
  readonly publicId: string
  readonly answer: Answer<T>
  readonly ask: (signal: AbortSignal) => Promise<T>
}

/**
 * Follows a report of the service about a site.
 * @param siteId of the site
 * @param value the public ID of the published site. Without a valid one, no request is sent.
 * @returns undefined if the site has no valid public ID.
 */
export function useSiteReport<Body, T>(
  siteId: string,
  value: unknown,
  {route, parse, interval}: ReportKind<Body, T>,
): FollowedReport<T> | undefined {
  const client = useClient({apiVersion: API_VERSION})
  const {basePath} = useWorkspace()
  const parsed = parsePublicId(value)
  const publicId = parsed.ok ? parsed.value : undefined
  const draft = useMemo(() => ({_id: 'drafts.tool', _type: 'tool', site: referenceToSite(siteId)}), [siteId])
  const [permissions, isLoading] = useDocumentValuePermissions({document: draft, permission: 'create'})
  const studioUrl = permissions?.granted ? new URL(basePath, location.origin).href : undefined
  const [told, setTold] = useState<{publicId: string; answer: Answer<T>}>()
  const ask = useCallback(
    async (signal: AbortSignal) => {
      if (publicId === undefined) throw new Error('This site is not published yet.')
      const report = parse(await fetchSiteReport<Body>(route, {client, publicId, studioUrl}, signal))
      if (!signal.aborted) setTold({publicId, answer: {state: 'answered', value: report}})
      return report
    },
    [client, publicId, studioUrl, route, parse],
  )
  useEffect(() => {
    if (publicId === undefined || isLoading) return undefined
    const stop = new AbortController()
    const next = () => {
      if (document.hidden) return
      ask(stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) setTold({publicId, answer: {state: 'failed', problem: errorWords(error)}})
      })
    }
    next()
    const timer = setInterval(next, interval)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [publicId, isLoading, ask, interval])
  if (publicId === undefined) return undefined
  // Not the one of another site, while this one’s is not known yet.
  return {publicId, answer: told?.publicId === publicId ? told.answer : {state: 'waiting'}, ask}
}
