import type {SanityClient} from '@sanity/client'
import {LRUCache} from 'lru-cache'
import type {SiteCompiler} from '../../site/compile.ts'
import {scriptModuleOf} from '../../site/scriptModule.ts'
import type {ScriptName} from '../seals.ts'
import {type AdviseDraft, draftAdvisor} from './draftAdvice.ts'
import {type DraftAuthor, DraftAuthors} from './draftAuthors.ts'
import {buildDraftSite, type DraftSite} from './draftSite.ts'
import {type PageReport, reportPage} from './pageReport.ts'
import {PolledSiteDocuments, type SiteDocuments, type Subject} from './siteDocuments.ts'

/** Maximum pages of one revision of a site to remember. */
const MAX_PAGES = 50

/** What was made from one state of a site's documents. */
type Built = {
  readonly site: DraftSite
  readonly advise: AdviseDraft
  /** Who wrote drafts, by the id of the draft. */
  readonly authors: ReadonlyMap<string, DraftAuthor>
  readonly pages: LRUCache<string, Promise<PageReport>>
}

/** One previewed site: loads its documents, and reports pages with drafts applied. */
export class PreviewedSite {
  readonly #documents: PolledSiteDocuments
  readonly #authors: DraftAuthors
  readonly #maxBytes: number
  readonly #compiler: SiteCompiler
  #isBuilding = false
  #built: {readonly from: SiteDocuments; readonly result: Promise<Built | undefined>} | undefined
  /** The last one that was built, whose parts the next one reuses. */
  #before: Built | undefined

  /**
   * @param client may read drafts.
   * @param maxBytes limit for the site, compiled and as documents.
   * @param compiler compiles this site and others.
   */
  constructor(client: SanityClient, subject: Subject, maxBytes: number, compiler: SiteCompiler) {
    this.#documents = new PolledSiteDocuments(client, subject, maxBytes)
    this.#authors = new DraftAuthors(client)
    this.#maxBytes = maxBytes
    this.#compiler = compiler
  }

  /**
   * Reports a page. Undefined: no site has this public ID.
   * @throws UpstreamError
   */
  async report(path: string): Promise<PageReport | undefined> {
    const built = await this.#current()
    if (built === undefined) return undefined
    const known = built.pages.get(path)
    if (known !== undefined) return known
    const report = reportPage(built.site, built.advise, path, this.#compiler.slices, built.authors)
    built.pages.set(path, report)
    return report
  }

  /**
   * Returns a script as a module. Undefined: no tool has this script with drafts applied.
   * @throws UpstreamError
   */
  async module({toolId, revision}: ScriptName): Promise<string | undefined> {
    const built = await this.#current()
    return built && scriptModuleOf(built.site.compiled, toolId, revision)
  }

  /** Builds one state at a time, so that an editor who types faster than a large site is built causes no queue. */
  async #current(): Promise<Built | undefined> {
    if (this.#isBuilding) await this.#built?.result.catch(() => {})
    const documents = await this.#documents.now()
    if (documents === undefined) return undefined
    if (this.#built?.from !== documents && !this.#isBuilding)
      this.#built = {from: documents, result: this.#build(documents)}
    return this.#built?.result
  }

  async #build(documents: SiteDocuments): Promise<Built | undefined> {
    this.#isBuilding = true
    try {
      const before = this.#before?.site
      const site = await buildDraftSite(documents, this.#maxBytes, this.#compiler, before)
      if (site === undefined) return undefined
      this.#before = {
        site,
        authors: await this.#authors.of(site.document._id, site.versions.values()),
        advise: draftAdvisor([...site.tools.values()]),
        pages: new LRUCache<string, Promise<PageReport>>({max: MAX_PAGES}),
      }
      return this.#before
    } finally {
      this.#isBuilding = false
    }
  }
}
