import {useCallback, useEffect, useMemo, useState} from 'react'
import {useClient, useDocumentValuePermissions, useWorkspace} from 'sanity'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import type {Answer} from '../install/useAnswer.ts'
import {API_VERSION} from '../live/apiVersion.ts'
import {serviceOrigin} from '../running.ts'
import {referenceToSite} from '../siteReference.ts'
import {VisitsSource} from './service.ts'
import type {SiteVisits} from './words.ts'

/** Milliseconds between two requests while Studio is visible. */
const INTERVAL = 30_000

/** The visits of a site, and a function that asks for them at once. */
export type FollowedVisits = {
  readonly publicId: string
  readonly answer: Answer<SiteVisits>
  readonly ask: (signal: AbortSignal) => Promise<SiteVisits>
}

/**
 * Follows when pages of a site last asked for their tools.
 * @param siteId of the site
 * @param value the public ID of the published site. Without a valid one, no request is sent.
 * @returns undefined if the site has no valid public ID.
 */
export function useVisits(siteId: string, value: unknown): FollowedVisits | undefined {
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
        : new VisitsSource({
            client,
            origin: serviceOrigin,
            publicId,
            studioUrl: mayMakeSecrets ? new URL(basePath, location.origin).href : undefined,
          }),
    [client, publicId, basePath, isLoading, mayMakeSecrets],
  )
  const [answer, setAnswer] = useState<Answer<SiteVisits>>({state: 'waiting'})
  const ask = useCallback(
    async (signal: AbortSignal) => {
      if (source === undefined) throw new Error('This site is not published yet.')
      const visits = await source.fetch(signal)
      if (!signal.aborted) setAnswer({state: 'answered', value: visits})
      return visits
    },
    [source],
  )
  useEffect(() => {
    if (source === undefined) return undefined
    const stop = new AbortController()
    const next = () => {
      if (document.hidden) return
      ask(stop.signal).catch((error: unknown) => {
        if (stop.signal.aborted) return
        setAnswer({state: 'failed', problem: error instanceof Error ? error.message : String(error)})
      })
    }
    setAnswer({state: 'waiting'})
    next()
    const timer = setInterval(next, INTERVAL)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [source, ask])
  return useMemo(
    () => (publicId === undefined ? undefined : {publicId, answer, ask}),
    [publicId, answer, ask],
  )
}
