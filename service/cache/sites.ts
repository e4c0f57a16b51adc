import {withTimeout} from '../../common/timeout.ts'
import {MAX_AGE} from '../../schemas/rules/pollInterval.ts'
import {SiteError} from '../errors.ts'
import {SiteCompiler} from '../site/compile.ts'
import type {CompiledSite} from '../site/compiledSite.ts'
import {siteRevisionOf} from '../upstream/siteDocument.ts'
import {Entries, type Entry, newEntry} from './entries.ts'
import {Refresher, type RefresherOptions} from './refresher.ts'
import {Revalidation, type RevalidationOptions} from './revalidation.ts'

/** The cached state of one public ID. */
export type KnownSite = Readonly<Pick<Entry, 'site' | 'validatedAt'>>

/** A site, and when upstream last confirmed it. */
export type RequestedSite = KnownSite & {readonly site: CompiledSite}

/**
 * Source of a response. From the cache: fresh (`hit`), revalidated while the request waited (`renewed`), or
 * `stale` because that took too long. Otherwise from upstream (`miss`) or from a snapshot.
 */
type AnswerFrom = 'hit' | 'renewed' | 'stale' | 'miss' | 'snapshot'

type SitesOptions = Pick<RefresherOptions, 'events' | 'clock' | 'snapshots' | 'source' | 'breaker'> &
  Pick<RevalidationOptions, 'now' | 'pause' | 'mayLag'> & {
    /** See `MAX_WAIT` and `LONG_MAX_WAIT`; tests wait longer on a busy machine. */
    readonly maxWait?: number | undefined
    /** See `KEEP_EVERY`. */
    readonly keepEvery?: number | undefined
    /** Approximate limit for compiled sites, in bytes. */
    readonly maxBytes: number
  }

/**
 * How long stale responses are served while upstream is unavailable, in milliseconds: a day, in which somebody notices.
 * Older tools may do what their site no longer offers.
 */
const MAX_STALE = 86_400_000

/** Age after which an entry that live events do not cover is revalidated in the background, in milliseconds. */
const REVALIDATE_AFTER = 10_000

/**
 * Age after which a request waits for the revalidation, in milliseconds. Equal to `max-age`, so that no older
 * response counts as fresh.
 */
const CONFIRM_AFTER = MAX_AGE * 1_000

/** How long a request waits for upstream if a stale response is available, in milliseconds. */
const MAX_WAIT = 30

/** The same if the stale response may be hours old. */
const LONG_MAX_WAIT = 500

/**
 * How often a site in use is offered to the snapshots, in milliseconds, so that they have its date, and the site itself if the disk
 * was full before.
 */
const KEEP_EVERY = 60_000

/** The share of the memory for all sites that one site may use. A publish briefly needs it twice. */
const MAX_SITE_SHARE = 1 / 4

/**
 * The cache of sites, by public ID. Changes and age trigger revalidation. While upstream
 * is unavailable, stale responses are served with their real age.
 */
export class Sites {
  /** Number of responses by source. */
  readonly answered: Record<AnswerFrom, number> = {hit: 0, renewed: 0, stale: 0, miss: 0, snapshot: 0}
  /** Revalidates sites in the background, and is told of changes. */
  readonly revalidation: Revalidation
  readonly #options: SitesOptions
  readonly #maxSiteBytes: number
  readonly #entries: Entries
  readonly #refresher: Refresher
  readonly #compiler = new SiteCompiler()
  readonly #closing = new AbortController()

  constructor(options: SitesOptions) {
    const maxSiteBytes = options.maxBytes * MAX_SITE_SHARE
    this.#maxSiteBytes = maxSiteBytes
    const compiler = this.#compiler
    const {signal: closing} = this.#closing
    const entries = new Entries(options.maxBytes)
    const shared = {...options, entries, compiler, closing, maxSiteBytes}
    const refresher = new Refresher(shared)
    this.#options = options
    this.#entries = entries
    this.#refresher = refresher
    this.revalidation = new Revalidation({...shared, refresher})
  }

  /**
   * Returns a site if it is fresh, which is nearly always the case. Otherwise, call `get`. The caller counts
   * the hit.
   */
  getIfFresh(publicId: string): RequestedSite | undefined {
    const entry = this.#entries.get(publicId)
    if (!entry?.site || !this.#isFresh(entry)) return undefined
    return {site: entry.site, validatedAt: entry.validatedAt}
  }

  /**
   * Returns the state of a public ID, without waiting if it is fresh.
   * @throws UpstreamError when upstream is unavailable and no stale response is left.
   */
  async get(publicId: string): Promise<KnownSite> {
    const entry = this.#entries.get(publicId)
    if (entry && this.#isFresh(entry)) {
      this.answered.hit += 1
      return entry
    }
    if (!entry || this.#options.clock() - entry.validatedAt > MAX_STALE) return this.#first(publicId)
    return this.#renewed(entry)
  }

  /** Whether a public ID has a site, according to the cache and the snapshots. */
  hasSite(publicId: string): boolean {
    return this.#entries.peek(publicId)?.site != null || this.#options.snapshots.has(publicId)
  }

  /**
   * Whether a public ID is cached, or a fetch of it is in flight: another request sends no additional query.
   */
  isKnown(publicId: string): boolean {
    return (
      this.#entries.peek(publicId) !== undefined ||
      this.#options.snapshots.has(publicId) ||
      this.#refresher.isAsking(publicId)
    )
  }

  /** Returns the contents of the cache. Visits every entry. */
  status() {
    const isFailing = (publicId: string) => this.#refresher.isFailing(publicId)
    const status = this.#entries.status(this.#options.clock(), isFailing)
    /** Sites that cannot be refreshed although upstream works. The log names each one. */
    return {...status, failing: this.#refresher.failing}
  }

  /** Stops work in the background. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#compiler.close()
  }

  /** Whether an entry is fresh. Marks it as used, and revalidates it in the background if that is due. */
  #isFresh(entry: Entry): boolean {
    const now = this.#options.clock()
    this.#entries.extend(entry)
    const age = now - entry.validatedAt
    if (age > MAX_STALE) return false
    entry.usedAt = now
    if (entry.isStale || age >= CONFIRM_AFTER) return false
    if (age >= REVALIDATE_AFTER && !(this.revalidation.isInformed && this.#entries.covers(entry)))
      this.revalidation.revalidate(entry)
    if (entry.validatedAt - entry.keptAt >= (this.#options.keepEvery ?? KEEP_EVERY))
      this.#refresher.keep(entry)
    return true
  }

  /**
   * Gets a site that is not cached: from upstream, or from a snapshot if upstream does not respond in time.
   */
  async #first(publicId: string): Promise<Entry> {
    this.revalidation.start()
    const refresh = this.#refresher.refresh(publicId)
    if (
      this.#options.snapshots.has(publicId) &&
      !(await withTimeout(this.#options.maxWait ?? LONG_MAX_WAIT, refresh))
    ) {
      const restored = await this.#restored(publicId)
      if (restored) {
        this.answered.snapshot += 1
        return restored
      }
    }
    this.answered.miss += 1
    return refresh
  }

  /** Stores the site of a snapshot. Upstream may have returned the site in the meantime. */
  async #restored(publicId: string): Promise<Entry | undefined> {
    const {clock, events, snapshots} = this.#options
    const snapshot = snapshots.read(publicId, CONFIRM_AFTER)
    const site =
      snapshot &&
      (await this.#compiler
        .compile(snapshot.document, undefined, this.#maxSiteBytes)
        .catch((error: unknown) => {
          // Too large: the limit may have been higher when it was written. The refresh says so.
          if (!(error instanceof SiteError)) throw error
          snapshots.remove(publicId)
        }))
    const current = this.#entries.peek(publicId)
    const now = clock()
    if (current && now - current.validatedAt <= MAX_STALE) return current
    if (!site || now - snapshot.validatedAt > MAX_STALE) return undefined
    const {document, validatedAt} = snapshot
    const times = {validatedAt, usedAt: now, keptAt: validatedAt}
    const entry = newEntry({publicId, site, revision: siteRevisionOf(document), ...times, fromSnapshot: true})
    this.#entries.set(entry)
    events.emit('snapshot', 'used', publicId)
    return entry
  }

  /** Revalidates an entry, or returns the stale one if that takes too long. */
  async #renewed(entry: Entry): Promise<Entry> {
    const renewed = await withTimeout(
      this.#options.maxWait ?? MAX_WAIT,
      this.#refresher.refresh(entry.publicId),
    )
    this.answered[renewed ? 'renewed' : 'stale'] += 1
    return renewed || entry
  }
}
