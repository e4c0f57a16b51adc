import type {SanityClient} from '@sanity/client'
import {schemaType} from '@sanity/preview-url-secret/constants'
import {previewSourceOf, REPORTS_OWNER} from '../../schemas/rules/previewSource.ts'
import {fetchFromSite} from '../install/service.ts'
import {createSecret} from '../preview/secrets.ts'

/** Seconds for which a secret is used: the service accepts it for an hour. */
const USED_FOR = 3_000

const TAG = 'handrail.visits'

/** The codes of secrets that were found or are being made, by public ID: several parts of a page ask at the same time. */
const codes = new Map<string, Promise<string>>()

type SiteReportsOptions = {
  readonly client: SanityClient
  /** Of the service. */
  readonly origin: string
  readonly publicId: string
  /** Where Studio is. Undefined: this person may not make secrets. */
  readonly studioUrl: string | undefined
}

/**
 * Asks the service what only those who may read a site get, such as when pages last asked for their tools. The service
 * accepts a secret that is in the content.
 */
export class SiteReports {
  readonly #options: SiteReportsOptions

  constructor(options: SiteReportsOptions) {
    this.#options = options
  }

  /**
   * @param route below the site's own URL
   * @throws Error in words for an editor
   */
  async fetch(route: string, signal: AbortSignal, isRetry = false): Promise<Record<string, unknown>> {
    const {origin, publicId} = this.#options
    const known = codes.get(publicId)
    const code = known ?? this.#findCode()
    codes.set(publicId, code)
    try {
      return await fetchFromSite(origin, publicId, route, await code, signal)
    } catch (error) {
      if (signal.aborted) throw error
      if (codes.get(publicId) === code) codes.delete(publicId)
      if (known === undefined || isRetry) throw error
      // The time of the secret may be over.
      return this.fetch(route, signal, true)
    }
  }

  async #findCode(): Promise<string> {
    const {client, publicId, studioUrl} = this.#options
    const query = `*[_type == $type && source == $source && userId == $owner && defined(code)
      && dateTime(_updatedAt) > dateTime(now()) - $age] | order(_updatedAt desc)[0].code`
    const params = {type: schemaType, source: previewSourceOf(publicId), owner: REPORTS_OWNER, age: USED_FOR}
    const found = await client.fetch<unknown>(query, params, {perspective: 'raw', tag: TAG})
    if (typeof found === 'string') return found
    if (studioUrl === undefined)
      throw new Error(
        'Studio shows when pages were last seen, and calls, once a person who may change this site has opened it within the last hour.',
      )
    return (await createSecret(client, {publicId, userId: REPORTS_OWNER}, studioUrl)).code
  }
}
