import type {SanityClient} from '@sanity/client'
import {SiteError, SiteOrUpstreamError} from '../errors.ts'
import type {QueryName} from '../events.ts'
import type {Lane, UpstreamCircuitBreaker} from './circuitBreaker.ts'
import {changesQuery, siteQuery, siteRevisionsQuery} from './queries.ts'
import {
  assertResponse,
  type ChangesResponse,
  isChangesResponse,
  isRevisedSite,
  isRevisionsResponse,
  isSiteResponse,
} from './responses.ts'
import {type SiteDocument, siteRevisionOf} from './siteDocument.ts'

export type SiteSource = ReturnType<typeof createSiteSource>

/** A public ID that is never generated, for queries whose result does not matter. */
const UNUSED_ID = 'no-such-site'

/** How the sync tag begins with which a lake tells of changes that no query by date finds, such as commits that are older than their push. */
const UNDATED = 's1:undated'

/**
 * Fetches sites with GROQ queries through the circuit breaker. If one fails so that its sites may be at fault, a probe finds
 * out whether upstream still works: one slow site is not an outage, and an outage is not a matter of one site.
 */
export function createSiteSource(client: SanityClient, breaker: Pick<UpstreamCircuitBreaker, 'ask'>) {
  const fetch = (
    query: string,
    params: Record<string, unknown>,
    tag: QueryName,
    signal: AbortSignal,
  ): Promise<{readonly result: unknown; readonly syncTags?: readonly string[]}> =>
    client.fetch(query, params, {filterResponse: false, returnQuery: false, tag, signal})
  let probing: Promise<void> | undefined

  /**
   * Sends a cheap query that is about no site, or joins one that is in flight.
   * @throws UpstreamError when upstream is unavailable.
   */
  function probe(): Promise<void> {
    probing ??= breaker
      .ask('probe', 'probe', async (signal) => {
        const publicIds = [UNUSED_ID]
        const {result} = await fetch(siteRevisionsQuery, {publicIds}, 'probe', signal)
        if (!isRevisionsResponse(publicIds, result))
          throw new Error('it returned something that is not a response to this query')
      })
      .finally(() => {
        probing = undefined
      })
    return probing
  }

  async function ask<T>(name: QueryName, lane: Lane, query: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await breaker.ask(name, lane, query)
    } catch (error) {
      // The circuit breaker does not count failures of the query for changes.
      const isUncounted = name === 'changes' && !(error instanceof SiteError)
      if (error instanceof SiteOrUpstreamError || isUncounted) await probe()
      throw error
    }
  }

  return {
    probe,

    /**
     * @param served `_id` of the site that is served now: another one with the same public ID does not replace it.
     * @returns `null` if no published site has this public ID.
     * @throws UpstreamError when upstream is unavailable or returns something that is not a site.
     */
    fetchSite(publicId: string, lane: Lane, served = ''): Promise<SiteDocument | null> {
      return ask('site', lane, async (signal) => {
        const {result} = await fetch(siteQuery, {publicId, served}, 'site', signal)
        assertResponse(isSiteResponse(publicId, result))
        return result.site
      })
    },

    /**
     * Fetches only the revisions of sites, which is cheaper. See `siteRevisionOf`.
     * @param served `_id` of the sites that are served now.
     * @returns the revisions by public ID. A site without a valid one is missing.
     */
    fetchRevisions(
      publicIds: readonly string[],
      lane: Lane,
      served: ReadonlySet<string> = new Set(),
    ): Promise<ReadonlyMap<string, string>> {
      return ask('revision', lane, async (signal) => {
        const {result} = await fetch(siteRevisionsQuery, {publicIds}, 'revision', signal)
        assertResponse(isRevisionsResponse(publicIds, result))
        const revisions = new Map(publicIds.map((publicId) => [publicId, siteRevisionOf(null)]))
        // Of two sites with the same public ID, the served one wins, and otherwise the first, which is the oldest.
        const isServed = (site: object) =>
          '_id' in site && typeof site._id === 'string' && served.has(site._id)
        const sites = result.sites.toReversed()
        for (const site of [...sites, ...sites.filter(isServed)]) {
          if (isRevisedSite(site)) revisions.set(site.publicId, siteRevisionOf(site))
          else revisions.delete(site.publicId)
        }
        return revisions
      })
    },

    /**
     * Fetches what changed since a date, of all sites. A probe tells whether its failure is an outage.
     * @throws SiteError if upstream works, but refuses the query or is too slow for it.
     * @throws UpstreamError when upstream is unavailable.
     */
    fetchChanges(since: string): Promise<ChangesResponse> {
      return ask('changes', 'known', async (signal) => {
        const {result, syncTags} = await fetch(changesQuery, {since}, 'changes', signal)
        assertResponse(isChangesResponse(result))
        return {...result, undated: syncTags?.find((tag) => tag.startsWith(UNDATED))}
      })
    },
  }
}
