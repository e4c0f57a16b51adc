import {backoffDelay} from '../../common/backoff.ts'
import {SiteError} from '../errors.ts'
import type {ServiceEvents} from '../events.ts'
import {compileSite} from '../site/compile.ts'
import type {CompiledSite} from '../site/compiledSite.ts'
import type {Lane, UpstreamCircuitBreaker} from '../upstream/circuitBreaker.ts'
import {revisionOf} from '../upstream/siteDocument.ts'
import type {SiteAnswer, SiteSource} from '../upstream/source.ts'
import type {Entries, Entry} from './entries.ts'
import {ExpectedRevisions} from './expectedRevisions.ts'
import {SiteBackoff} from './siteBackoff.ts'

/** An in-flight fetch of one site, plus the invalidations that arrived while it was running. */
type Refresh = {answer: Promise<Entry>; missed: {tags: Set<string>; changed: boolean; unverified: boolean}}

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
  readonly #backoff = new SiteBackoff()

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
    const pending = this.#backoff.pending(publicId, this.#options.clock())
    if (pending) return Promise.reject(pending)
    const refusal = this.#options.breaker.refusal(this.#laneOf(publicId))
    if (refusal) return Promise.reject(this.#failed(publicId, refusal))
    const missed = {tags: new Set<string>(), changed: false, unverified: false}
    const answer = this.#askUntilSettled(publicId, missed).finally(() => this.#refreshes.delete(publicId))
    this.#refreshes.set(publicId, {answer, missed})
    return answer
  }

  /** Number of sites that cannot be refreshed although upstream works. */
  get failing(): number {
    return this.#backoff.size
  }

  /** Whether this site cannot be refreshed although upstream works. */
  isFailing(publicId: string): boolean {
    return this.#backoff.has(publicId)
  }

  /** Ends the back-off of a site, because it changed. */
  retryNow(publicId: string): void {
    this.#backoff.retryNow(publicId)
  }

  /** Whether a fetch of this site is in flight. */
  isAsking(publicId: string): boolean {
    return this.#refreshes.has(publicId)
  }

  /** Refreshes a site in the background, unless it is backing off. */
  refreshBehind({publicId, retryAt}: Entry): void {
    if (this.#options.clock() >= retryAt) this.refresh(publicId).catch(() => {})
  }

  /** Content with these sync tags changed: fetches in flight may return the old content. */
  invalidateTagsInFlight(tags: readonly string[]): void {
    for (const {missed} of this.#refreshes.values()) for (const tag of tags) missed.tags.add(tag)
  }

  /** The content of this site changed. */
  invalidateInFlight(publicId: string): void {
    const refresh = this.#refreshes.get(publicId)
    if (refresh) refresh.missed.changed = true
  }

  /** Any site may have changed. */
  markAllUnverifiedInFlight(): void {
    for (const {missed} of this.#refreshes.values()) missed.unverified = true
  }

  async #askUntilSettled(publicId: string, missed: Refresh['missed']): Promise<Entry> {
    try {
      for (let round = 1; ; round++) {
        missed.tags.clear()
        missed.changed = missed.unverified = false
        const entry = await this.#ask(publicId)
        if (this.#backoff.recover(publicId)) this.#options.events.emit('recovered', publicId)
        if (missed.changed || entry.syncTags.some((tag) => missed.tags.has(tag))) entry.state = 'stale'
        else if (missed.unverified) entry.state = 'unverified'
        else return entry
        if (round === ROUNDS) return entry
      }
    } catch (error) {
      throw this.#failed(publicId, error)
    }
  }

  /**
   * Sets the back-off of a site. A failure of this site alone backs off for longer each time; any other
   * failure only briefly, because the circuit breaker has its own back-off.
   */
  #failed(publicId: string, error: unknown): unknown {
    const {entries, events, clock} = this.#options
    const entry = entries.peek(publicId)
    const retryAt =
      error instanceof SiteError
        ? this.#backoff.fail(publicId, error, clock())
        : clock() + backoffDelay(1, {first: RETRY_AFTER, longest: RETRY_AFTER})
    if (entry) entry.retryAt = retryAt
    events.emit('failed', publicId, error)
    return error
  }

  #laneOf(publicId: string): Lane {
    const {entries, isKnown} = this.#options
    return entries.peek(publicId)?.site || isKnown(publicId) ? 'known' : 'unknown'
  }

  async #ask(publicId: string): Promise<Entry> {
    const {source, entries, events, clock, maxSiteBytes, onConfirmed} = this.#options
    // The time of the query, not of the response: a later change is not in it.
    const askedAt = clock()
    const known = entries.peek(publicId)
    const lane = this.#laneOf(publicId)
    const {documentIds = [], notObserved = []} = known?.expectations.pending(askedAt) ?? {}
    if (notObserved.length > 0) events.emit('notObserved', publicId, notObserved)
    if (known && known.state !== 'stale' && documentIds.length === 0) {
      const revision = await source.fetchRevision(publicId, lane)
      if (revision === known.revision) {
        Object.assign(known, {validatedAt: askedAt, state: 'fresh', fromSnapshot: false, retryAt: 0})
        onConfirmed(known)
        return known
      }
    }
    const answer = await source.fetchSite(publicId, lane, documentIds)
    const before = entries.peek(publicId)
    // The tools of a snapshot may lack fields although their revisions are the same.
    const reusable = before?.fromSnapshot ? undefined : before?.site
    const site = answer.document && (await compileSite(answer.document, reusable, maxSiteBytes))
    return this.#take(publicId, askedAt, answer, site, documentIds)
  }

  /** Stores a response, unless it is older than the cached one. */
  #take(
    publicId: string,
    askedAt: number,
    answer: SiteAnswer,
    site: CompiledSite | null,
    documentIds: readonly string[],
  ): Entry {
    const {entries, events, clock, onConfirmed} = this.#options
    const {document, syncTags} = answer
    const before = entries.peek(publicId)
    const expectations = before?.expectations ?? new ExpectedRevisions()
    const verdict = expectations.check(answer, documentIds, clock())
    if (before && verdict === 'older') return this.#lookAgain(before)

    if (site) events.emit('compiled', publicId, site.invalid)
    const entry: Entry = {
      publicId,
      site,
      revision: revisionOf(document),
      syncTags,
      expectations,
      validatedAt: askedAt,
      usedAt: before?.usedAt ?? askedAt,
      state: 'fresh',
      fromSnapshot: false,
      retryAt: 0,
    }
    entries.set(entry)
    onConfirmed(entry)
    return verdict === 'lagging' ? this.#lookAgain(entry) : entry
  }

  /**
   * Upstream does not return the announced revision yet. Serves the cached entry and fetches again later in
   * the background.
   */
  #lookAgain(entry: Entry): Entry {
    const {entries, clock} = this.#options
    const pause = entry.expectations.nextDelay()
    entry.state = 'stale'
    entry.retryAt = clock() + pause
    setTimeout(() => {
      const now = entries.peek(entry.publicId)
      if (now && now.state !== 'fresh') this.refresh(entry.publicId).catch(() => {})
    }, pause).unref()
    return entry
  }
}
