import type {SanityClient} from '@sanity/client'
import {LRUCache} from 'lru-cache'
import {BusyError} from '../../errors.ts'
import {SiteCompiler} from '../../site/compile.ts'
import {PreviewedSite} from './previewedSite.ts'
import type {Subject} from './siteDocuments.ts'

/** Maximum sites that are previewed at once. */
const MAX_SITES = 20

/** How long a site is kept after the last request for it, in milliseconds. Tabs ask once a second. */
const IDLE_TIMEOUT = 10_000
const CHECK_EVERY = 2_000

/** The previewed sites, each of which is kept while it is requested. */
export class PreviewedSites {
  readonly #client: SanityClient
  readonly #maxBytes: number
  readonly #compiler = new SiteCompiler()
  readonly #sites: LRUCache<string, PreviewedSite>

  /**
   * @param client may read drafts.
   * @param maxBytes limit for one site.
   * @param now milliseconds of a clock that is never set.
   */
  constructor(client: SanityClient, maxBytes: number, now: () => number = () => performance.now()) {
    this.#client = client
    this.#maxBytes = maxBytes
    this.#sites = new LRUCache({
      max: MAX_SITES,
      ttl: IDLE_TIMEOUT,
      updateAgeOnGet: true,
      ttlResolution: 0,
      perf: {now},
    })
    setInterval(() => this.#sites.purgeStale(), CHECK_EVERY).unref()
  }

  /**
   * Returns a site.
   * @throws BusyError if too many others are previewed.
   */
  get({publicId, release}: Subject): PreviewedSite {
    const key = `${publicId} ${release ?? ''}`
    const known = this.#sites.get(key)
    if (known !== undefined) return known
    if (this.#sites.size >= MAX_SITES) throw new BusyError('Too many sites are previewed at the same time.')
    const site = new PreviewedSite(this.#client, {publicId, release}, this.#maxBytes, this.#compiler)
    this.#sites.set(key, site)
    return site
  }
}
