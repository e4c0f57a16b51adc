import {LRUCache} from 'lru-cache'
import {inBackground} from '../../common/background.ts'
import {backoffDelay} from '../../common/backoff.ts'
import {ownText} from '../../common/ownText.ts'
import {SiteError} from '../errors.ts'
import type {ServiceEvents} from '../events.ts'
import type {SiteCompiler} from '../site/compile.ts'
import type {Snapshots} from '../snapshots/snapshots.ts'
import type {Lane, UpstreamCircuitBreaker} from '../upstream/circuitBreaker.ts'
import {type SiteDocument, siteRevisionOf} from '../upstream/siteDocument.ts'
import type {SiteSource} from '../upstream/source.ts'
import {type Entries, type Entry, newEntry} from './entries.ts'

/** An in-flight fetch of one site, and whether the site changed meanwhile. */
type Refresh = {readonly answer: Promise<Entry>; readonly state: {isOvertaken: boolean}}

export type RefresherOptions = {
  readonly source: SiteSource
  readonly breaker: Pick<UpstreamCircuitBreaker, 'refusal'>
  readonly entries: Entries
  readonly events: ServiceEvents
  readonly compiler: Pick<SiteCompiler, 'compile'>
  /** Aborts when the service is closed: nothing is fetched again. */
  readonly closing: AbortSignal
  readonly clock: () => number
  /** Memory limit for one site. */
  readonly maxSiteBytes: number
  readonly snapshots: Pick<Snapshots, 'has' | 'read' | 'keep' | 'remove'>
}

/** A site that failed so many times in a row while upstream worked, and is not fetched until a time. */
type Failure = {readonly error: SiteError; readonly count: number; until: number}

/** The back-off of such a site, in milliseconds. For all others, the circuit breaker has one. */
const BACKOFF = {first: 1_000, longest: 60_000}

/** Failing sites that are remembered, cached or not, and how long after the last attempt, in milliseconds. */
const FAILURES = {max: 10_000, ttl: 600_000}

/** Maximum refetches when the site keeps changing during a fetch. */
const ROUNDS = 3

/**
 * Fetches sites from upstream. At most one query per site is in flight; a result that was invalidated while
 * in flight is fetched again. Each site that fails backs off separately.
 */
export class Refresher {
  readonly #options: RefresherOptions
  readonly #failures = new LRUCache<string, Failure>(FAILURES)
  readonly #refreshes = new Map<string, Refresh>()

  constructor(options: RefresherOptions) {
    this.#options = options
  }

  /** Whether a site fails while upstream works. */
  isFailing(publicId: string): boolean {
    return this.#failures.has(publicId)
  }

  /** The number of such sites. */
  get failing(): number {
    this.#failures.purgeStale()
    return this.#failures.size
  }

  /** Ends the back-off of a site: a change may have fixed it. */
  retryNow(publicId: string): void {
    const failure = this.#failures.peek(publicId)
    if (failure) failure.until = 0
  }

  /**
   * Fetches a site, or joins a fetch that is already in flight.
   * @throws UpstreamError when upstream is unavailable, or the site backs off.
   */
  refresh(publicId: string): Promise<Entry> {
    const running = this.#refreshes.get(publicId)
    if (running) return running.answer
    const failure = this.#failures.get(publicId)
    if (failure && this.#options.clock() < failure.until) return Promise.reject(failure.error)
    const refusal = this.#options.breaker.refusal(this.#laneOf(publicId))
    if (refusal) return Promise.reject(this.fail(publicId, refusal))
    const state = {isOvertaken: false}
    const answer = this.#fetchUntilSettled(publicId, state).finally(() => this.#refreshes.delete(publicId))
    this.#refreshes.set(publicId, {answer, state})
    return answer
  }

  /** Fetches a site in the background. */
  refreshInBackground(publicId: string): void {
    // The refresh tells its failures itself.
    void inBackground(() => this.refresh(publicId), {onFailure: () => {}})
  }

  /** Whether a fetch of this site is in flight. */
  isAsking(publicId: string): boolean {
    return this.#refreshes.has(publicId)
  }

  /**
   * Fetches of these sites that are in flight, and first fetches of any site, may return what was there before a change.
   * @param publicIds all sites, if it is undefined
   */
  overtake(publicIds?: ReadonlySet<string>): void {
    for (const [publicId, {state}] of this.#refreshes)
      state.isOvertaken ||= publicIds?.has(publicId) !== false || !this.#options.entries.peek(publicId)
  }

  /** Upstream confirmed an entry with a query that was sent at this time, or returned its document. */
  confirm(entry: Entry, askedAt: number, document?: SiteDocument | null): void {
    const {events} = this.#options
    entry.validatedAt = Math.max(entry.validatedAt, askedAt)
    entry.isStale = entry.fromSnapshot = false
    if (this.#failures.delete(entry.publicId)) events.emit('recovered', entry.publicId)
    this.keep(entry, document)
  }

  /** Offers an entry to the snapshots, which are closed with the cache: a query may still be in flight then. */
  keep(entry: Entry, document?: SiteDocument | null): void {
    const {snapshots, closing} = this.#options
    if (closing.aborted) return
    const {publicId, site, revision, validatedAt} = entry
    entry.keptAt = validatedAt
    if (!site) snapshots.remove(publicId)
    else if (!snapshots.keep({publicId, revision, validatedAt, document})) this.refreshInBackground(publicId)
  }

  /** Tells of a failure, and sets the back-off of a site if it is the problem. @returns the error */
  fail(publicId: string, error: unknown): unknown {
    const {clock, events} = this.#options
    if (error instanceof SiteError) {
      const count = (this.#failures.get(publicId)?.count ?? 0) + 1
      this.#failures.set(publicId, {error, count, until: clock() + backoffDelay(count, BACKOFF)})
    }
    events.emit('failed', publicId, error)
    return error
  }

  async #fetchUntilSettled(publicId: string, state: {isOvertaken: boolean}): Promise<Entry> {
    try {
      for (let round = 1; ; round += 1) {
        state.isOvertaken = false
        const entry = await this.#fetch(publicId)
        if (state.isOvertaken) entry.isStale = true
        if (!state.isOvertaken || round === ROUNDS) return entry
      }
    } catch (error) {
      throw this.fail(publicId, error)
    }
  }

  #laneOf(publicId: string): Lane {
    const {entries, snapshots} = this.#options
    if (this.isFailing(publicId)) return 'failing'
    return entries.peek(publicId)?.site || snapshots.has(publicId) ? 'known' : 'unknown'
  }

  /** Fetches a site and stores it, unless the response is older than what was served. */
  async #fetch(publicId: string): Promise<Entry> {
    const {source, entries, clock} = this.#options
    // The time of the query, not of the response: a later change is not in it.
    const askedAt = clock()
    const served = entries.peek(publicId)?.site?.documentId
    const document = await source.fetchSite(publicId, this.#laneOf(publicId), served)
    const revision = siteRevisionOf(document)
    let entry = entries.peek(publicId)
    const isSame = entry?.revision === revision
    // The tools of a snapshot may lack fields although their revisions are the same.
    if (!entry || !isSame || entry.fromSnapshot) entry = await this.#store(publicId, document, entry, askedAt)
    this.confirm(entry, askedAt, document)
    return entry
  }

  async #store(
    publicId: string,
    document: SiteDocument | null,
    before: Entry | undefined,
    askedAt: number,
  ): Promise<Entry> {
    const {entries, events, compiler, maxSiteBytes} = this.#options
    const reusable = before?.fromSnapshot ? undefined : before?.site
    const site = document && (await compiler.compile(document, reusable, maxSiteBytes))
    if (site) events.emit('compiled', publicId, site.invalid)
    const entry = newEntry({
      publicId: ownText(publicId),
      site,
      revision: siteRevisionOf(document),
      validatedAt: askedAt,
      usedAt: entries.peek(publicId)?.usedAt ?? askedAt,
      fromSnapshot: false,
      keptAt: Number.NEGATIVE_INFINITY,
    })
    entries.set(entry)
    return entry
  }
}
