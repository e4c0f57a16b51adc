import type {SanityClient} from '@sanity/client'
import {LakeError} from '../errors.ts'
import {siteQuery, siteRevisionQuery} from './queries.ts'
import type {SiteQueryResult} from './types.generated.ts'

/** A site with its enabled tools, as the lake answers it. The fields are checked when it is compiled. */
export type SiteDocument = NonNullable<SiteQueryResult>

/** What the lake says of one public identifier. */
export type SiteAnswer = {
  /** `null`: no published site has this public identifier. */
  document: SiteDocument | null
  /** Names the content that the answer rests on. A live event with one of these tags makes it stale. */
  syncTags: readonly string[]
}

/** Where sites come from. */
export type SiteSource = {
  /** @throws when the lake cannot be asked, or answers with something that is not a site. */
  fetchSite(publicId: string): Promise<SiteAnswer>
  /** The revision of what `fetchSite` would answer, at a lower cost. See `revisionOf`. */
  fetchRevision(publicId: string): Promise<string>
}

/** Sites by GROQ from a Content Lake. */
export function createSiteSource(client: SanityClient): SiteSource {
  return {
    async fetchSite(publicId) {
      const {result, syncTags} = await client.fetch(
        siteQuery,
        {publicId},
        {filterResponse: false, returnQuery: false, tag: 'site'},
      )
      requireShape(result)
      return {document: result, syncTags: syncTags ?? []}
    },

    async fetchRevision(publicId) {
      const {result} = await client.fetch(
        siteRevisionQuery,
        {publicId},
        {filterResponse: false, returnQuery: false, tag: 'revision'},
      )
      requireShape(result)
      return revisionOf(result)
    },
  }
}

type Revised = {_id: string; _rev: string}

/** One string that changes whenever the site, or the set or content of its enabled tools, does. */
export function revisionOf(site: (Revised & {tools: Revised[]; formTools: Revised[]}) | null): string {
  if (!site) return 'absent'
  return [site, ...site.tools, ...site.formTools].map(({_id, _rev}) => `${_id}@${_rev}`).join(' ')
}

/**
 * An answer with status 200 is not yet an answer: a proxy's HTML page or half a body has no result at all,
 * and must not be read as "this site was deleted".
 */
function requireShape(result: unknown): void {
  if (result === null) return
  const whole =
    isRevised(result) &&
    'tools' in result &&
    isListOfRevised(result.tools) &&
    'formTools' in result &&
    isListOfRevised(result.formTools)
  if (!whole) throw new LakeError('The lake answered with something that is not a site.')
}

function isListOfRevised(value: unknown): boolean {
  return Array.isArray(value) && value.every(isRevised)
}

function isRevised(value: unknown): value is Revised {
  return (
    typeof value === 'object' &&
    value !== null &&
    '_id' in value &&
    typeof value._id === 'string' &&
    '_rev' in value &&
    typeof value._rev === 'string'
  )
}
