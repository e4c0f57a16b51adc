import {useCallback, useEffect, useMemo, useState} from 'react'
import {useClient, useDocumentValuePermissions, useWorkspace} from 'sanity'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import type {Answer} from '../install/useAnswer.ts'
import {API_VERSION} from '../live/apiVersion.ts'
import {serviceOrigin} from '../running.ts'
import {referenceToSite} from '../siteReference.ts'
import {SiteReports} from './source.ts'

/** A report of the service about a site. */
export type ReportKind<T> = {
  /** Below the site's own URL. */
  readonly route: string
  readonly parse: (body: Record<string, unknown>) => T
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
 * @param kind memoized
 * @returns undefined if the site has no valid public ID.
 */
export function useSiteReport<T>(
  siteId: string,
  value: unknown,
  kind: ReportKind<T>,
): FollowedReport<T> | undefined {
  const client = useClient({apiVersion: API_VERSION})
  const {basePath} = useWorkspace()
  const parsed = parsePublicId(value)
  const publicId = parsed.ok ? parsed.value : undefined
  const draft = useMemo(() => ({_id: 'drafts.tool', _type: 'tool', site: referenceToSite(siteId)}), [siteId])
  const [permissions, isLoading] = useDocumentValuePermissions({document: draft, permission: 'create'})
  const mayMakeSecrets = permissions?.granted === true
  const source = useMemo(
    () =>
      publicId === undefined || isLoading
        ? undefined
        : new SiteReports({
            client,
            origin: serviceOrigin,
            publicId,
            studioUrl: mayMakeSecrets ? new URL(basePath, location.origin).href : undefined,
          }),
    [client, publicId, basePath, isLoading, mayMakeSecrets],
  )
  const [told, setTold] = useState<{source: SiteReports; answer: Answer<T>}>()
  // Not the one of another site, while this one’s is not known yet.
  const answer: Answer<T> = told !== undefined && told.source === source ? told.answer : WAITING
  const ask = useCallback(
    async (signal: AbortSignal) => {
      if (source === undefined) throw new Error('This site is not published yet.')
      const report = kind.parse(await source.fetch(kind.route, signal))
      if (!signal.aborted) setTold({source, answer: {state: 'answered', value: report}})
      return report
    },
    [source, kind],
  )
  useEffect(() => {
    if (source === undefined) return undefined
    const stop = new AbortController()
    const next = () => {
      if (document.hidden) return
      ask(stop.signal).catch((error: unknown) => {
        if (stop.signal.aborted) return
        const problem = error instanceof Error ? error.message : String(error)
        setTold({source, answer: {state: 'failed', problem}})
      })
    }
    next()
    const timer = setInterval(next, kind.interval)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [source, ask, kind])
  return useMemo(
    () => (publicId === undefined ? undefined : {publicId, answer, ask}),
    [publicId, answer, ask],
  )
}

const WAITING = {state: 'waiting'} as const
