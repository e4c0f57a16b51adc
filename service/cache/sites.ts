import {withTimeout} from '../../common/timeout.ts'
import {SiteError} from '../errors.ts'
import type {ServiceEvents} from '../events.ts'
import {compileSite} from '../site/compile.ts'
import type {CompiledSite} from '../site/compiledSite.ts'
import type {PendingSnapshot, Snapshot} from '../snapshots/format.ts'
import type {Snapshots} from '../snapshots/snapshots.ts'
import type {UpstreamCircuitBreaker} from '../upstream/circuitBreaker.ts'
import {revisionOf} from '../upstream/siteDocument.ts'
import type {SiteSource} from '../upstream/source.ts'
import {Entries, type Entry, type SitesStatus} from './entries.ts'
import {type Announced, type Announcement, ExpectedRevisions} from './expectedRevisions.ts'
import {Invalidations} from './invalidations.ts'
import {Refresher} from './refresher.ts'

/** The cached state of one public ID. */
export type KnownSite = {
  /** `null` if upstream returned no published site for this public ID. */
  readonly site: CompiledSite | null
  /** When upstream last confirmed this, in milliseconds of the clock. */
  readonly validatedAt: number
}

/** A public ID that has a site. */
export type ExistingSite = KnownSite & {readonly site: CompiledSite}

/**
 * Source of a response. From the cache: fresh (`hit`), revalidated while the request waited (`renewed`), or
 * `stale` because that took too long. Otherwise from upstream (`miss`) or from a snapshot.
 */
export type AnswerFrom = 'hit' | 'renewed' | 'stale' | 'miss' | 'snapshot'

export type SitesOptions = {
  source: SiteSource
  breaker: Pick<UpstreamCircuitBreaker, 'maxWait' | 'refusal'>
  snapshots: Pick<Snapshots, 'has' | 'read' | 'keep' | 'remove'>
  events: ServiceEvents
  /** Approximate limit for compiled sites, in bytes. */
  maxBytes: number
  /** How long stale responses may be served while upstream is unavailable, in seconds. */
  maxStaleSeconds: number
  /** A clock for ages, in milliseconds. It never goes backwards. */
  clock: () => number
  /** The system clock in milliseconds since 1970, for times that are written to disk. */
  systemClock?: () => number
}

/** Age after which an entry is revalidated in the background, in milliseconds. */
const REVALIDATE_AFTER = 10_000

/**
 * Age after which a request waits for the revalidation, in milliseconds. Equal to `max-age`, so that no older
 * response counts as fresh.
 */
const CONFIRM_AFTER = 60_000

/** How long a request waits for upstream if a stale response is available, in milliseconds. */
const MAX_WAIT = 30

/** The same if the stale response may be hours old, or if the client cannot easily recover from a miss. */
const LONG_MAX_WAIT = 500

/** The share of the memory for all sites that one site may use. A publish briefly needs it twice. */
const MAX_SITE_SHARE = 1 / 4

/**
 * The cache of sites, by public ID. Live events, announcements and age trigger revalidation. While upstream
 * is unavailable, stale responses are served with their real age.
 */
export class Sites {
  /** Number of responses by source. */
  readonly answered: Record<AnswerFrom, number> = {hit: 0, renewed: 0, stale: 0, miss: 0, snapshot: 0}
  readonly #breaker: SitesOptions['breaker']
  readonly #snapshots: SitesOptions['snapshots']
  readonly #events: ServiceEvents
  readonly #maxStale: number
  readonly #clock: () => number
  readonly #systemClock: () => number
  readonly #maxSiteBytes: number
  readonly #entries: Entries
  readonly #refresher: Refresher
  readonly #invalidations: Invalidations

  constructor({
    source,
    breaker,
    snapshots,
    events,
    maxBytes,
    maxStaleSeconds,
    clock,
    systemClock = clock,
  }: SitesOptions) {
    this.#breaker = breaker
    this.#snapshots = snapshots
    this.#events = events
    this.#maxStale = maxStaleSeconds * 1_000
    this.#clock = clock
    this.#systemClock = systemClock
    this.#entries = new Entries(maxBytes)
    this.#maxSiteBytes = maxBytes * MAX_SITE_SHARE
    this.#refresher = new Refresher({
      source,
      breaker,
      entries: this.#entries,
      events,
      clock,
      maxSiteBytes: this.#maxSiteBytes,
      isKnown: (publicId) => snapshots.has(publicId),
      onConfirmed: (entry) => {
        if (entry.site) snapshots.keep(this.#snapshotOf(entry, entry.site), entry.revision)
        else snapshots.remove(entry.publicId)
      },
    })
    this.#invalidations = new Invalidations({
      entries: this.#entries,
      refresher: this.#refresher,
      events,
      clock,
    })
  }

  /**
   * Returns a site if it is fresh, which is nearly always the case. Otherwise, call `get`. The caller counts
   * the hit.
   */
  getIfFresh(publicId: string): ExistingSite | undefined {
    const entry = this.#entries.get(publicId)
    if (!entry?.site || !this.#isFresh(entry, CONFIRM_AFTER)) return undefined
    return {site: entry.site, validatedAt: entry.validatedAt}
  }

  /**
   * Returns the state of a public ID, without waiting if it is fresh.
   * @param maxAge maximum age without a wait for upstream, in milliseconds.
   * @throws LakeError when upstream is unavailable and no stale response is left.
   */
  async get(publicId: string, maxAge = CONFIRM_AFTER): Promise<KnownSite> {
    const entry = this.#entries.get(publicId)
    const now = this.#clock()
    if (!entry || now - entry.validatedAt > this.#maxStale) return this.#first(publicId)
    if (!this.#isFresh(entry, maxAge)) {
      return this.#renewed(entry, maxAge < CONFIRM_AFTER ? LONG_MAX_WAIT : MAX_WAIT)
    }
    this.answered.hit++
    return entry
  }

  /** Whether a public ID has a site, according to the cache and the snapshots. */
  hasSite(publicId: string): boolean {
    return this.#entries.peek(publicId)?.site != null || this.#snapshots.has(publicId)
  }

  /**
   * Whether a public ID is cached, or a fetch of it is in flight: another request sends no additional query.
   */
  isKnown(publicId: string): boolean {
    return (
      this.#entries.peek(publicId) !== undefined ||
      this.#snapshots.has(publicId) ||
      this.#refresher.isAsking(publicId)
    )
  }

  /** Content with these sync tags changed: fetches the affected sites again. */
  invalidateTags(tags: readonly string[]): void {
    this.#invalidations.invalidateTags(tags)
  }

  /**
   * Changes may have been missed: compares the revision of each site with upstream before serving it again.
   */
  markAllUnverified(): void {
    this.#invalidations.markAllUnverified()
  }

  /**
   * Handles an announced change of a document. The affected sites are fetched again until the announced
   * revision appears. Older responses are rejected from then on.
   */
  announce(announcement: Announcement): Announced {
    return this.#invalidations.announce(announcement)
  }

  /** Revalidates the sites in use. Called regularly while live events are disconnected. */
  confirmInUse(): void {
    this.#invalidations.confirmInUse()
  }

  /** Returns the contents of the cache. Visits every entry. */
  status(): SitesStatus {
    const isFailing = (publicId: string) => this.#refresher.isFailing(publicId)
    return {...this.#entries.status(this.#clock(), isFailing), failing: this.#refresher.failing}
  }

  /** Whether an entry is fresh. Marks it as used, and revalidates it in the background after ten seconds. */
  #isFresh(entry: Entry, maxAge: number): boolean {
    const now = this.#clock()
    const age = now - entry.validatedAt
    if (age > this.#maxStale) return false
    entry.usedAt = now
    if (entry.state !== 'fresh' || age >= maxAge) return false
    if (age >= REVALIDATE_AFTER) this.#refresher.refreshBehind(entry)
    return true
  }

  /**
   * Gets a site that is not cached: from upstream, or from a snapshot if upstream does not respond in time.
   */
  async #first(publicId: string): Promise<Entry> {
    const refresh = this.#refresher.refresh(publicId)
    if (
      this.#snapshots.has(publicId) &&
      !(await withTimeout(this.#breaker.maxWait(LONG_MAX_WAIT), refresh))
    ) {
      const restored = await this.#restored(publicId)
      if (restored) {
        this.answered.snapshot++
        return restored
      }
    }
    this.answered.miss++
    return refresh
  }

  async #restored(publicId: string): Promise<Entry | undefined> {
    const snapshot = await this.#snapshots.read(publicId)
    const site = snapshot && (await this.#compiled(snapshot))
    const entry = this.#entries.peek(publicId)
    const now = this.#clock()
    if (entry && now - entry.validatedAt <= this.#maxStale) return entry
    if (!snapshot || !site) return undefined
    const age = this.#systemClock() - snapshot.validatedAt
    // A date in the future means that the clock was set back since, so the real age is unknown.
    const knownAge = age < 0 ? CONFIRM_AFTER : age
    if (knownAge > this.#maxStale) return undefined
    const {document, syncTags, isIncomplete = false} = snapshot
    const restored: Entry = {
      publicId,
      site,
      revision: revisionOf(document),
      syncTags,
      expectations: new ExpectedRevisions(),
      validatedAt: now - knownAge,
      usedAt: now,
      // An equal revision would not prove that an incomplete document is current.
      state: isIncomplete ? 'stale' : 'unverified',
      fromSnapshot: true,
      retryAt: 0,
    }
    this.#entries.set(restored)
    this.#events.emit('snapshot', 'used', publicId)
    return restored
  }

  /**
   * @returns undefined if the site is too large: the limit may be lower than when the snapshot was written.
   */
  async #compiled({publicId, document}: Snapshot): Promise<CompiledSite | undefined> {
    try {
      return await compileSite(document, undefined, this.#maxSiteBytes)
    } catch (error) {
      if (!(error instanceof SiteError)) throw error
      this.#events.emit('failed', publicId, error)
      this.#snapshots.remove(publicId)
      return undefined
    }
  }

  /** Revalidates an entry, or returns the stale one if that takes too long. */
  async #renewed(entry: Entry, milliseconds: number): Promise<Entry> {
    const mayAsk = this.#clock() >= entry.retryAt
    const renewed =
      mayAsk &&
      (await withTimeout(this.#breaker.maxWait(milliseconds), this.#refresher.refresh(entry.publicId)))
    this.answered[renewed ? 'renewed' : 'stale']++
    return renewed || entry
  }

  /**
   * Returns the snapshot of a site. The document is decompressed only when it is written; usually it is
   * already on disk.
   */
  #snapshotOf({publicId, syncTags, validatedAt}: Entry, {texts}: CompiledSite): PendingSnapshot {
    const documentJson = () => texts.documentJson()
    return {
      publicId,
      syncTags,
      validatedAt: this.#systemClock() - (this.#clock() - validatedAt),
      documentJson,
    }
  }
}
