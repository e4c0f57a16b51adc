import type {SanityClient} from '@sanity/client'
import type {UpstreamCircuitBreaker, Way} from './circuitBreaker.ts'
import {siteQuery, siteRevisionsQuery} from './queries.ts'
import {RequestBatcher} from './requestBatcher.ts'
import {
  areDatedRevisions,
  areStrings,
  assertResponse,
  isRevisionsResponse,
  isSite,
  isSiteResponse,
} from './responses.ts'
import {revisionOf, type SiteDocument} from './siteDocument.ts'

/** A document's revision, and its `_updatedAt`: an ISO date. */
export type Revision = {revision: string; updatedAt: string}

/** What the lake says of one public identifier. */
export type SiteAnswer = {
  /** `null`: no published site has this public identifier. */
  document: SiteDocument | null
  /** Names the content that the answer rests on. A live event with one of these tags makes it stale. */
  syncTags: readonly string[]
  /** Of the documents that were asked about, those that exist, by id: as they were at the moment of the answer. */
  revisions: ReadonlyMap<string, Revision>
}

/** Where sites come from. */
export type SiteSource = {
  /**
   * @param announced ids of documents whose revisions are wanted beside the site.
   * @throws when the lake cannot be asked, or answers with something that is not a site.
   */
  fetchSite(publicId: string, way: Way, announced: readonly string[]): Promise<SiteAnswer>
  /**
   * The revision of what `fetchSite` would answer, at a lower cost: of many sites that are known, in one question. See
   * `revisionOf`.
   */
  fetchRevision(publicId: string, way: Way): Promise<string>
}

/** Sites by GROQ from a Content Lake, asked through a gate. */
export function createSiteSource(
  client: SanityClient,
  gate: Pick<UpstreamCircuitBreaker, 'ask'>,
): SiteSource {
  function fetchRevisions(publicIds: readonly string[], way: Way): Promise<(publicId: string) => string> {
    return gate.ask('revision', way, async (signal) => {
      const {result} = await client.fetch(
        siteRevisionsQuery,
        {publicIds},
        {filterResponse: false, returnQuery: false, tag: 'revision', signal},
      )
      assertResponse(isRevisionsResponse(publicIds, result))
      return (publicId) => {
        // The oldest comes first, and wins where two have the same public ID.
        const site = result.sites.find((candidate) => candidate.publicId === publicId)
        if (!site) return revisionOf(null)
        assertResponse(isSite(site, publicId))
        return revisionOf(site)
      }
    })
  }
  const known = new RequestBatcher((publicIds) => fetchRevisions(publicIds, 'known'))

  return {
    fetchSite(publicId, way, announced) {
      return gate.ask('site', way, async (signal) => {
        const {result, syncTags = []} = await client.fetch(
          siteQuery,
          {publicId, announced},
          {filterResponse: false, returnQuery: false, tag: 'site', signal},
        )
        assertResponse(
          isSiteResponse(publicId, result) && areDatedRevisions(result.announced) && areStrings(syncTags),
        )
        const revisions = new Map<string, Revision>()
        for (const {_id, _rev, _updatedAt} of result.announced)
          revisions.set(_id, {revision: _rev, updatedAt: _updatedAt})
        return {document: result.site, syncTags, revisions}
      })
    },

    async fetchRevision(publicId, way) {
      return way === 'known' ? known.load(publicId) : (await fetchRevisions([publicId], way))(publicId)
    },
  }
}
