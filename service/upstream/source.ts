import type {SanityClient} from '@sanity/client'
import type {Lane, UpstreamCircuitBreaker} from './circuitBreaker.ts'
import {siteQuery, siteRevisionsQuery} from './queries.ts'
import {RequestBatcher} from './requestBatcher.ts'
import {areStrings, assertResponse, isRevisedSite, isRevisionsResponse, isSiteResponse} from './responses.ts'
import {revisionOf, type SiteDocument} from './siteDocument.ts'

/** A document's revision, and its `_updatedAt`: an ISO date. */
export type Revision = {revision: string; updatedAt: string}

/** The upstream response for one public ID. */
export type SiteAnswer = {
  /** `null` if no published site has this public ID. */
  document: SiteDocument | null
  /**
   * Identify the content that the response depends on. A live event with one of these tags makes it stale.
   */
  syncTags: readonly string[]
  /** Revisions of the queried documents that exist, by document ID, as of the same response. */
  revisions: ReadonlyMap<string, Revision>
}

export type SiteSource = {
  /**
   * @param announced IDs of documents whose revisions to include in the response.
   * @throws LakeError when upstream is unavailable or returns something that is not a site.
   */
  fetchSite(publicId: string, lane: Lane, announced: readonly string[]): Promise<SiteAnswer>
  /**
   * Fetches only the revision of a site, which is cheaper. Queries for several known sites are batched. See
   * `revisionOf`.
   */
  fetchRevision(publicId: string, lane: Lane): Promise<string>
}

/** Fetches sites with GROQ queries through the circuit breaker. */
export function createSiteSource(
  client: SanityClient,
  breaker: Pick<UpstreamCircuitBreaker, 'ask'>,
): SiteSource {
  function fetchRevisions(publicIds: readonly string[], lane: Lane): Promise<(publicId: string) => string> {
    return breaker.ask('revision', lane, async (signal) => {
      const {result}: {result: unknown} = await client.fetch(
        siteRevisionsQuery,
        {publicIds},
        {filterResponse: false, returnQuery: false, tag: 'revision', signal},
      )
      assertResponse(isRevisionsResponse(publicIds, result))
      return (publicId) => {
        // The oldest site comes first, and wins if two have the same public ID.
        const site = result.sites.find((candidate) => candidate.publicId === publicId)
        if (!site) return revisionOf(null)
        assertResponse(isRevisedSite(site))
        return revisionOf(site)
      }
    })
  }
  const known = new RequestBatcher((publicIds) => fetchRevisions(publicIds, 'known'))

  return {
    fetchSite(publicId, lane, announced) {
      return breaker.ask('site', lane, async (signal) => {
        const {result, syncTags = []}: {result: unknown; syncTags?: unknown} = await client.fetch(
          siteQuery,
          {publicId, announced},
          {filterResponse: false, returnQuery: false, tag: 'site', signal},
        )
        assertResponse(isSiteResponse(publicId, result) && areStrings(syncTags))
        const revisions = new Map<string, Revision>()
        for (const {_id, _rev, _updatedAt} of result.announced)
          revisions.set(_id, {revision: _rev, updatedAt: _updatedAt})
        return {document: result.site, syncTags, revisions}
      })
    },

    async fetchRevision(publicId, lane) {
      return lane === 'known' ? known.load(publicId) : (await fetchRevisions([publicId], lane))(publicId)
    },
  }
}
