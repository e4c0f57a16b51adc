import type {SanityClient} from '@sanity/client'
import {LRUCache} from 'lru-cache'
import {documentsOfSite} from '../../../advice/diagnosis/selection.ts'
import {withDeadline} from '../../../common/timeout.ts'
import {inRelease, parseDocuments} from '../../../schemas/documents.ts'
import {SiteError, UpstreamError} from '../../errors.ts'
import {SiteCompiler} from '../../site/compile.ts'
import {scriptModuleOf} from '../../site/scriptModule.ts'
import type {ScriptName} from '../seals.ts'
import {draftAdvisor} from './draftAdvice.ts'
import {DraftAuthors} from './draftAuthors.ts'
import {buildDraftSite, type DraftSite} from './draftSite.ts'
import {type PageReport, reportPage} from './pageReport.ts'

/** Maximum sites that are kept, and pages of one state of a site. */
const MAX_SITES = 20
const MAX_PAGES = 50

/** Minimum interval between two loads, in milliseconds: tabs ask once a second. A site that is too large costs much. */
const LOAD_EVERY = 900
const RETRY_AFTER = 5_000

/** Interval at which the site of a public ID is looked up again, in milliseconds. */
const FIND_EVERY = 30_000

/** Timeout of a query, in milliseconds. */
const QUERY_TIMEOUT = 3_000

/** The oldest published site with a public ID, as for visitors. If there is none, the oldest draft. */
const SITE_QUERY = `coalesce(
  *[_type == "site" && publicId == $publicId && _id in path("*")] | order(_createdAt asc, _id asc)[0]._id,
  *[_type == "site" && publicId == $publicId && _id in path("drafts.*")] | order(_createdAt asc, _id asc)[0]._id
)`

/** A site with its drafts, or with a release in place of them. */
export type Subject = {readonly publicId: string; readonly release?: string | undefined}

/** What was made from one state of a site's documents. */
type Built = {
  readonly revisions: string
  /** Undefined: there is no such site. */
  readonly shown?: {readonly site: DraftSite; report(path: string): Promise<PageReport>} | undefined
}

/** What is known of a subject: its last state, and the site that it was found under; why the last load failed. */
type Known = {
  readonly siteId: string | undefined
  readonly foundAt: number
  readonly built?: Built | undefined
  readonly failure?: unknown
}

/** Loads and builds previewed sites while panels ask for them. One load of a site runs at a time, for all who ask. */
export class PreviewedSites {
  readonly #client: SanityClient
  readonly #maxBytes: number
  readonly #timeout: number
  readonly #now: () => number
  readonly #authors: DraftAuthors
  readonly #compiler = new SiteCompiler()
  readonly #sites: LRUCache<string, Known, Subject>

  /**
   * @param client may read drafts.
   * @param maxBytes limit for one site, compiled and as documents.
   * @param now milliseconds of a clock that is never set.
   * @param timeout see `QUERY_TIMEOUT`
   */
  constructor(
    client: SanityClient,
    maxBytes: number,
    now = () => performance.now(),
    timeout = QUERY_TIMEOUT,
  ) {
    this.#client = client
    this.#maxBytes = maxBytes
    this.#timeout = timeout
    this.#now = now
    this.#authors = new DraftAuthors(client)
    this.#sites = new LRUCache<string, Known, Subject>({
      max: MAX_SITES,
      ttl: LOAD_EVERY,
      ttlResolution: 0,
      perf: {now},
      ignoreFetchAbort: true,
      fetchMethod: async (_key, before, {context, options}) => {
        const askedAt = now()
        const known = await this.#load(context, before)
        options.ttl = known.failure ? RETRY_AFTER : Math.max(1, LOAD_EVERY + askedAt - now())
        return known
      },
    })
  }

  /**
   * Reports a page. Undefined: no site has this public ID.
   * @throws UpstreamError
   */
  async report(subject: Subject, path: string): Promise<PageReport | undefined> {
    return (await this.#shown(subject))?.report(path)
  }

  /**
   * Returns a script as a module. Undefined: no tool has this script with drafts applied.
   * @throws UpstreamError
   */
  async module(subject: Subject, {toolId, revision}: ScriptName): Promise<string | undefined> {
    const shown = await this.#shown(subject)
    return shown && scriptModuleOf(shown.site.compiled, toolId, revision)
  }

  async #shown(subject: Subject): Promise<Built['shown']> {
    const key = `${subject.publicId} ${subject.release ?? ''}`
    const known = await this.#sites.fetch(key, {context: subject})
    if (known?.failure) throw known.failure
    return known?.built?.shown
  }

  /** Never rejects, so that what was built before can be used again. */
  async #load({publicId, release}: Subject, before: Known | undefined): Promise<Known> {
    let {siteId, foundAt = Number.NEGATIVE_INFINITY} = before ?? {}
    try {
      if (siteId === undefined || this.#now() - foundAt >= FIND_EVERY) {
        foundAt = this.#now()
        const found = await this.#fetch(SITE_QUERY, {publicId})
        siteId = typeof found === 'string' ? found.replace(/^drafts\./, '') : undefined
      }
      const built = siteId === undefined ? undefined : await this.#build(siteId, release, before?.built)
      return {siteId, foundAt, built}
    } catch (error) {
      const failure =
        error instanceof UpstreamError
          ? error
          : new UpstreamError('The content lake returned no documents for a preview.', {cause: error})
      return {siteId, foundAt, built: before?.built, failure}
    }
  }

  async #build(siteId: string, release: string | undefined, before: Built | undefined): Promise<Built> {
    const {query, params} = documentsOfSite(siteId, release)
    const found = await this.#fetch(query, params)
    const {length} = JSON.stringify(found)
    if (length > this.#maxBytes) throw tooLarge(length, this.#maxBytes)
    const documents = parseDocuments(found)
    const revisions = [siteId, ...documents.map(({_id, _rev}) => `${_id}@${_rev}`)].join()
    if (before?.revisions === revisions) return before
    const source = {siteId, documents: inRelease(documents, release)}
    const site = await buildDraftSite(source, this.#maxBytes, this.#compiler, before?.shown?.site)
    if (site === undefined) return {revisions}
    const authors = await this.#authors.of(site.document._id, site.versions.values())
    const advise = draftAdvisor([...site.tools.values()])
    const pages = new LRUCache<string, Promise<PageReport>>({
      max: MAX_PAGES,
      memoMethod: (path) => reportPage(site, advise, path, this.#compiler.slices, authors),
    })
    return {revisions, shown: {site, report: (path) => pages.memo(path)}}
  }

  #fetch(query: string, params: Record<string, unknown>): Promise<unknown> {
    return withDeadline(this.#timeout, (signal) =>
      this.#client.fetch<unknown>(query, params, {perspective: 'raw', tag: 'preview', signal}),
    )
  }
}

function tooLarge(characters: number, maxCharacters: number): SiteError {
  const [size, limit] = [characters, maxCharacters].map((length) => Math.round((length / 2 ** 20) * 10) / 10)
  return new SiteError(
    `The site and its drafts have ${size} MB, more than the limit of ${limit} MB for a preview, a sixteenth of SITE_MEMORY_MB. ` +
      'Remove tools from it, shorten their scripts and schemas, or raise SITE_MEMORY_MB.',
  )
}
