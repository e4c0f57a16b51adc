import {backoffDelay} from '../../common/backoff.ts'
import {SiteError} from '../errors.ts'
import type {ServiceEvents} from '../events.ts'
import {compileSite} from '../site/compile.ts'
import type {Lane, UpstreamCircuitBreaker} from '../upstream/circuitBreaker.ts'
import {revisionOf} from '../upstream/siteDocument.ts'
import type {SiteSource} from '../upstream/source.ts'
import {type Entries, type Entry, tagsIn} from './entries.ts'
import {ExpectedRevisions} from './expectedRevisions.ts'
import {SiteBackoff} from './siteBackoff.ts'

/** An in-flight fetch of one site, and what was invalidated meanwhile: sync tags and public IDs. */
type Refresh = {answer: Promise<Entry>; invalidated: Set<string>}

export type RefresherOptions = {
  source: SiteSource
  breaker: Pick<UpstreamCircuitBreaker, 'refusal'>
  entries: Entries
  events: ServiceEvents
  clock: () => number
  /** Memory limit for one site. */
  maxSiteBytes: number
  /** Whether an uncached public ID is known to have a site, or to have had one. */
  isKnown: (publicId: string) => boolean
  /** Called for each entry that upstream returned or confirmed. */
  onConfirmed: (entry: Entry) => void
}

/** Maximum delay between two attempts for one entry while upstream fails, in milliseconds. */
const RETRY_AFTER = 1_000

/** Maximum refetches when the site keeps changing during a fetch. */
const ROUNDS = 3

/**
 * Fetches sites from upstream. At most one query per site is in flight; a result that was invalidated while
 * in flight is fetched again.
 */
export class Refresher {
  readonly #options: RefresherOptions
  readonly #refreshes = new Map<string, Refresh>()
  /** The sites that cannot be refreshed although upstream works. */
  readonly failing = new SiteBackoff()

  constructor(options: RefresherOptions) {
    this.#options = options
  }

  /**
   * Fetches a site, or joins a fetch that is already in flight.
   * @throws LakeError when upstream is unavailable.
   */
  refresh(publicId: string): Promise<Entry> {
    const running = this.#refreshes.get(publicId)
    if (running) return running.answer
    const pending = this.failing.pending(publicId, this.#options.clock())
    if (pending) return Promise.reject(pending)
    const refusal = this.#options.breaker.refusal(this.#laneOf(publicId))
    if (refusal) return Promise.reject(this.fail(publicId, refusal))
    const invalidated = new Set<string>()
    const answer = this.#fetchUntilSettled(publicId, invalidated).finally(() =>
      this.#refreshes.delete(publicId),
    )
    this.#refreshes.set(publicId, {answer, invalidated})
    return answer
  }

  /** Fetches a site in the background. */
  refreshInBackground(publicId: string): void {
    this.refresh(publicId).catch(() => {})
  }

  /** Whether a fetch of this site is in flight. */
  isAsking(publicId: string): boolean {
    return this.#refreshes.has(publicId)
  }

  /** Content with these sync tags or public IDs changed: fetches in flight may return the old content. */
  invalidateInFlight(keys: readonly string[]): void {
    for (const {invalidated} of this.#refreshes.values()) for (const key of keys) invalidated.add(key)
  }

  /** Upstream confirmed an entry with a query that was sent at this time. */
  confirm(entry: Entry, askedAt: number): void {
    const {events, onConfirmed} = this.#options
    entry.validatedAt = Math.max(entry.validatedAt, askedAt)
    entry.isStale = entry.fromSnapshot = false
    entry.retryAt = 0
    if (this.failing.recover(entry.publicId)) events.emit('recovered', entry.publicId)
    onConfirmed(entry)
  }

  /**
   * Sets the back-off of a site. A failure of this site alone backs off for longer each time; any other
   * failure only briefly, because the circuit breaker has its own back-off.
   * @returns the error.
   */
  fail(publicId: string, error: unknown): unknown {
    const {entries, events, clock} = this.#options
    const entry = entries.peek(publicId)
    const retryAt =
      error instanceof SiteError
        ? this.failing.fail(publicId, error, clock())
        : clock() + backoffDelay(1, {first: RETRY_AFTER, longest: RETRY_AFTER})
    if (entry) entry.retryAt = retryAt
    events.emit('failed', publicId, error)
    return error
  }

  async #fetchUntilSettled(publicId: string, invalidated: Set<string>): Promise<Entry> {
    try {
      for (let round = 1; ; round++) {
        invalidated.clear()
        const entry = await this.#fetch(publicId)
        const isOvertaken = [publicId, ...tagsIn(entry.syncTags)].some((key) => invalidated.has(key))
        if (isOvertaken) entry.isStale = true
        if (!isOvertaken || round === ROUNDS) return entry
      }
    } catch (error) {
      throw this.fail(publicId, error)
    }
  }

  #laneOf(publicId: string): Lane {
    const {entries, isKnown} = this.#options
    return entries.peek(publicId)?.site || isKnown(publicId) ? 'known' : 'unknown'
  }

  /** Fetches a site and stores it, unless it is older than the cached one. */
  async #fetch(publicId: string): Promise<Entry> {
    const {source, entries, events, clock, maxSiteBytes} = this.#options
    // The time of the query, not of the response: a later change is not in it.
    const askedAt = clock()
    const {documentIds = [], notObserved = []} = entries.peek(publicId)?.expectations.pending(askedAt) ?? {}
    if (notObserved.length > 0) events.emit('notObserved', publicId, notObserved)
    const answer = await source.fetchSite(publicId, this.#laneOf(publicId), documentIds)
    const {document, syncTags} = answer
    const before = entries.peek(publicId)
    const expectations = before?.expectations ?? new ExpectedRevisions()
    const verdict = expectations.check(answer, documentIds, clock())
    if (before && verdict === 'older') return this.#fetchAgainLater(before)
    let entry = before
    const revision = revisionOf(document)
    // The tools of a snapshot may lack fields although their revisions are the same.
    if (!entry || entry.fromSnapshot || entry.revision !== revision) {
      const reusable = entry?.fromSnapshot ? undefined : entry?.site
      const site = document && (await compileSite(document, reusable, maxSiteBytes))
      if (site) events.emit('compiled', publicId, site.invalid)
      entry = {
        publicId,
        site,
        revision,
        syncTags: syncTags.join(' '),
        expectations,
        validatedAt: askedAt,
        usedAt: entries.peek(publicId)?.usedAt ?? askedAt,
        isStale: false,
        fromSnapshot: false,
        retryAt: 0,
        keptAt: Number.NEGATIVE_INFINITY,
      }
      entries.set(entry)
    }
    this.confirm(entry, askedAt)
    return verdict === 'lagging' ? this.#fetchAgainLater(entry) : entry
  }

  /**
   * Upstream does not return the announced revision yet. Serves the cached entry and fetches again later in
   * the background.
   */
  #fetchAgainLater(entry: Entry): Entry {
    const {entries, clock} = this.#options
    const pause = entry.expectations.nextDelay()
    entry.isStale = true
    entry.retryAt = clock() + pause
    setTimeout(() => {
      const now = entries.peek(entry.publicId)
      if (now?.isStale) this.refreshInBackground(entry.publicId)
    }, pause).unref()
    return entry
  }
}
