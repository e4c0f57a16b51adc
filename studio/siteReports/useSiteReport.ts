import type {SanityClient} from '@sanity/client'
import {schemaType} from '@sanity/preview-url-secret/constants'
import {useMemo} from 'react'
import {useDocumentValuePermissions, useWorkspace} from 'sanity'
import {referenceToSite} from '../../making/siteReference.ts'
import {previewSourceOf, REPORTS_OWNER} from '../../schemas/preview.ts'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import {fetchFromSite} from '../install/service.ts'
import type {Answer} from '../live/answer.ts'
import {useAnswer} from '../live/useAnswer.ts'
import {useContent} from '../live/useContent.ts'
import {createSecret} from '../preview/secrets.ts'

/** A report of the service about a site. */
export type ReportKind<Body, T> = {
  /** Below the site's own URL. */
  readonly route: string
  readonly isBody: (body: unknown) => body is Body
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
  {route, isBody, parse, interval}: ReportKind<Body, T>,
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
      parse(await fetchSiteReport(route, isBody, {client, publicId, studioUrl}, signal))
  }, [client, publicId, studioUrl, isLoading, route, isBody, parse])
  const answer = useAnswer(ask, {subject: publicId, again: () => interval})
  return publicId === undefined ? undefined : {publicId, answer, ask}
}

/** Seconds for which a secret is used: the service accepts it for an hour. */
const USED_FOR = 3_000

type ReportSource = {
  readonly client: SanityClient
  readonly publicId: string
  /** Where Studio is. Undefined: this person may not make secrets. */
  readonly studioUrl: string | undefined
}

/**
 * Asks the service what only those who may read a site get, such as when pages last asked for their tools. The service
 * accepts a secret that is in the content.
 * @param route below the site's own URL
 * @throws Error in words for an editor
 */
async function fetchSiteReport<Body>(
  route: string,
  isBody: (body: unknown) => body is Body,
  source: ReportSource,
  signal: AbortSignal,
): Promise<Body> {
  return fetchFromSite(source.publicId, route, signal, isBody, await codeOf(source))
}

async function codeOf({client, publicId, studioUrl}: ReportSource): Promise<string> {
  const query = `*[_type == $type && source == $source && userId == $owner && defined(code)
    && dateTime(_updatedAt) > dateTime(now()) - $age] | order(_updatedAt desc)[0].code`
  const params = {type: schemaType, source: previewSourceOf(publicId), owner: REPORTS_OWNER, age: USED_FOR}
  const found = await client.fetch<string | null>(query, params, {perspective: 'raw', tag: 'handrail.visits'})
  if (found !== null) return found
  if (studioUrl === undefined)
    throw new Error(
      'Studio shows when pages were last seen, and calls, once a person who may change this site has opened it within the last hour.',
    )
  return (await createSecret(client, {publicId, userId: REPORTS_OWNER}, studioUrl)).code
}
