import type {SanityClient} from '@sanity/client'
import {schemaType} from '@sanity/preview-url-secret/constants'
import {previewSourceOf, REPORTS_OWNER} from '../../schemas/rules/previewSource.ts'
import {fetchFromSite} from '../install/service.ts'
import {createSecret} from '../preview/secrets.ts'

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
export async function fetchSiteReport<Body>(
  route: string,
  source: ReportSource,
  signal: AbortSignal,
): Promise<Body> {
  return fetchFromSite(source.publicId, route, signal, await codeOf(source))
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
