import timers from 'node:timers/promises'
import type {SanityClient} from '@sanity/client'
import {documentsOfSite} from '../../../advice/diagnosis/selection.ts'
import {backoffDelay} from '../../../common/backoff.ts'
import {withDeadline} from '../../../common/timeout.ts'
import {inRelease, parseDocuments, type StoredDocument} from '../../../schemas/documents.ts'
import {SiteError, UpstreamError} from '../../errors.ts'

/** Minimum interval between two loads, in milliseconds. While the listener is down, every load is a query. */
const LOAD_EVERY = 1_000

/** The back-off after a load that failed, in milliseconds. An event ends it: the change may have fixed the problem. */
const BACKOFF = {first: 1_000, longest: 60_000}

/**
 * Interval at which the listener is replaced and everything is loaded again, in milliseconds. This finds out if the
 * listener's connection was lost without a sign.
 */
const RENEW_EVERY = 30_000

/** How long a load waits for the listener, so that it includes all changes before the first event. */
const LISTENER_TIMEOUT = 300

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

/**
 * Follows the documents of a site with a listener. They are loaded when the listener connects; while it is
 * disconnected, at most once a second, and less often while that fails.
 */
export class LiveSiteDocuments {
  readonly #client: SanityClient
  readonly #subject: Subject
  readonly #maxCharacters: number
  readonly #documents = new Map<string, StoredDocument>()
  /** Undefined after a change. */
  #current: SiteDocuments | undefined
  #siteId: string | undefined
  #listener: {unsubscribe(): void} | undefined
  #listensSince = 0
  #isConnected = false
  /** An event arrived that the last load may not include. */
  #isOvertaken = false
  #isLoading = false
  #loadedAt = Number.NEGATIVE_INFINITY
  /** Loads that failed since one succeeded. */
  #failures = 0
  /** The end of the back-off. */
  #retryAt = Number.NEGATIVE_INFINITY
  readonly #now: () => number
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
    const now = this.#now()
    const isOld = now - this.#listensSince > RENEW_EVERY
    const isCurrent = this.#isConnected && !this.#isOvertaken && !isOld
    const isDue = now >= this.#retryAt && now - this.#loadedAt >= LOAD_EVERY
    if (!isCurrent && !this.#isLoading && isDue) {
      this.#loadedAt = now
      this.#load = this.#loadAll(isOld || this.#listener === undefined)
    }
    await this.#load
    if (this.#siteId === undefined) return undefined
    this.#current ??= {
      siteId: this.#siteId,
      documents: inRelease([...this.#documents.values()], this.#subject.release),
    }
    return this.#current
  }

  /** Stops following. */
  close(): void {
    this.#listener?.unsubscribe()
    this.#listener = undefined
    this.#isConnected = false
  }

  async #loadAll(needsListener: boolean): Promise<void> {
    this.#isLoading = true
    this.#isOvertaken = false
    try {
      if (needsListener) await this.#listen()
      this.#isOvertaken = false
      if (this.#siteId === undefined) return
      const {query, params} = documentsOfSite(this.#siteId, this.#subject.release)
      const found = await this.#fetch(query, params)
      const {length} = JSON.stringify(found)
      if (length > this.#maxCharacters) throw tooLarge(length, this.#maxCharacters)
      this.#documents.clear()
      for (const document of parseDocuments(found)) this.#documents.set(document._id, document)
      this.#current = undefined
      this.#failures = 0
    } catch (error) {
      this.#failures += 1
      // After an event during the load, the next one may succeed.
      if (!this.#isOvertaken) this.#retryAt = this.#now() + backoffDelay(this.#failures, BACKOFF)
      this.#isOvertaken = true
      throw error instanceof UpstreamError
        ? error
        : new UpstreamError('The content lake returned no documents for a preview.', {cause: error})
    } finally {
      this.#isLoading = false
    }
  }

  /** Finds the site, and follows its documents. */
  async #listen(): Promise<void> {
    const siteId = await this.#fetch(SITE_QUERY, {publicId: this.#subject.publicId})
    this.close()
    this.#siteId = typeof siteId === 'string' ? siteId.replace(/^drafts\./, '') : undefined
    if (this.#siteId === undefined) return
    const {filter, params} = documentsOfSite(this.#siteId, this.#subject.release)
    const settled = new AbortController()
    this.#listensSince = this.#now()
    this.#listener = this.#client
      .listen(filter, params, {
        events: ['welcome', 'mutation', 'reconnect'],
        includeMutations: false,
        visibility: 'query',
        tag: 'preview',
      })
      .subscribe({
        next: (event) => {
          if (event.type === 'mutation') return this.#apply(event.documentId, event.result)
          this.#isConnected = event.type === 'welcome'
          if (this.#isConnected) this.#retryAt = Number.NEGATIVE_INFINITY
          // Events before `welcome` are lost.
          this.#isOvertaken = true
          settled.abort()
        },
        error: () => {
          this.close()
          settled.abort()
        },
      })
    await timers.setTimeout(LISTENER_TIMEOUT, undefined, {signal: settled.signal}).catch(() => {})
  }

  #apply(id: string, result: unknown): void {
    const [document] = parseDocuments([result])
    if (document !== undefined) this.#documents.set(id, document)
    else this.#documents.delete(id)
    this.#current = undefined
    this.#retryAt = Number.NEGATIVE_INFINITY
    // The result of a query in flight may be older than this event.
    if (this.#isLoading) this.#isOvertaken = true
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
