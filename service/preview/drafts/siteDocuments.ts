import type {SanityClient} from '@sanity/client'
import {documentsOfSite} from '../../../advice/diagnosis/selection.ts'
import {withDeadline} from '../../../common/timeout.ts'
import {inRelease, parseDocuments, type StoredDocument} from '../../../schemas/documents.ts'
import {SiteError, UpstreamError} from '../../errors.ts'

/** Minimum interval between two loads, in milliseconds: tabs ask once a second. A site that is too large costs much. */
const LOAD_EVERY = 900
const RETRY_AFTER = 5_000

/** Interval at which the site of the public ID is looked up again, in milliseconds. */
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

/** All documents of a site, published ones and drafts. */
export type SiteDocuments = {readonly siteId: string; readonly documents: readonly StoredDocument[]}

/** Loads the documents of a site while a panel asks for them. */
export class PolledSiteDocuments {
  readonly #client: SanityClient
  readonly #subject: Subject
  readonly #maxCharacters: number
  readonly #now: () => number
  #current: SiteDocuments | undefined
  /** The revisions of `#current`. */
  #revisions = ''
  #siteId: string | undefined
  #foundAt = Number.NEGATIVE_INFINITY
  #isLoading = false
  #nextAt = Number.NEGATIVE_INFINITY
  #load: Promise<void> = Promise.resolve()

  /**
   * @param client may read drafts.
   * @param maxCharacters limit for the length of all documents as JSON.
   * @param now milliseconds of a clock that is never set.
   */
  constructor(
    client: SanityClient,
    subject: Subject,
    maxCharacters: number,
    now: () => number = () => performance.now(),
  ) {
    this.#now = now
    this.#client = client
    this.#subject = subject
    this.#maxCharacters = maxCharacters
  }

  /**
   * Returns the documents, as the same object until one of them changes. Undefined: no site has this public ID.
   * @throws UpstreamError if they cannot be loaded.
   */
  async now(): Promise<SiteDocuments | undefined> {
    if (!this.#isLoading && this.#now() >= this.#nextAt) this.#load = this.#loadAll()
    await this.#load
    return this.#current
  }

  async #loadAll(): Promise<void> {
    this.#isLoading = true
    const askedAt = this.#now()
    try {
      await this.#loadDocuments(askedAt)
      this.#nextAt = askedAt + LOAD_EVERY
    } catch (error) {
      this.#nextAt = this.#now() + RETRY_AFTER
      throw error instanceof UpstreamError
        ? error
        : new UpstreamError('The content lake returned no documents for a preview.', {cause: error})
    } finally {
      this.#isLoading = false
    }
  }

  async #loadDocuments(askedAt: number): Promise<void> {
    const {publicId, release} = this.#subject
    if (this.#siteId === undefined || askedAt - this.#foundAt >= FIND_EVERY) {
      const siteId = await this.#fetch(SITE_QUERY, {publicId})
      this.#siteId = typeof siteId === 'string' ? siteId.replace(/^drafts\./, '') : undefined
      this.#foundAt = askedAt
    }
    if (this.#siteId === undefined) {
      this.#current = undefined
      return
    }
    const {query, params} = documentsOfSite(this.#siteId, release)
    const found = await this.#fetch(query, params)
    const {length} = JSON.stringify(found)
    if (length > this.#maxCharacters) throw tooLarge(length, this.#maxCharacters)
    const documents = parseDocuments(found)
    const revisions = documents.map(({_id, _rev}) => `${_id}@${_rev}`).join()
    if (this.#current?.siteId === this.#siteId && revisions === this.#revisions) return
    this.#revisions = revisions
    this.#current = {siteId: this.#siteId, documents: inRelease(documents, release)}
  }

  #fetch(query: string, params: Record<string, unknown>): Promise<unknown> {
    return withDeadline(QUERY_TIMEOUT, (signal) =>
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
