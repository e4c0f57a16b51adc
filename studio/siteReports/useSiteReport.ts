import {useMemo} from 'react'
import {useDocumentValuePermissions, useWorkspace} from 'sanity'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import type {Answer} from '../live/answer.ts'
import {useAnswer} from '../live/useAnswer.ts'
import {useContent} from '../live/useContent.ts'
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

/** The last report, and how it is asked for. */
export type FollowedReport<T> = {
  readonly publicId: string
  readonly answer: Answer<T> & {readonly reload: () => void}
  /** Undefined: Studio does not know yet what this person may do. */
  readonly ask: ((signal: AbortSignal) => Promise<T>) | undefined
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
  const client = useContent()
  const {basePath} = useWorkspace()
  const parsed = parsePublicId(value)
  const publicId = parsed.ok ? parsed.value : undefined
  const draft = useMemo(() => ({_id: 'drafts.tool', _type: 'tool', site: referenceToSite(siteId)}), [siteId])
  const [permissions, isLoading] = useDocumentValuePermissions({document: draft, permission: 'create'})
  const studioUrl = permissions?.granted ? new URL(basePath, location.origin).href : undefined
  const ask = useMemo(() => {
    if (publicId === undefined || isLoading) return undefined
    return async (signal: AbortSignal) =>
      parse(await fetchSiteReport<Body>(route, {client, publicId, studioUrl}, signal))
  }, [client, publicId, studioUrl, isLoading, route, parse])
  const answer = useAnswer(ask, {subject: publicId, again: () => interval})
  return publicId === undefined ? undefined : {publicId, answer, ask}
}
