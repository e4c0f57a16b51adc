import {withTimeout} from '../../common/timeout.ts'
import {SiteError} from '../errors.ts'
import type {ServiceEvents} from '../events.ts'
import {type CompiledSite, compileSite} from '../site/compile.ts'
import type {Snapshot} from '../snapshots/format.ts'
import type {Snapshots} from '../snapshots/snapshots.ts'
import type {UpstreamCircuitBreaker} from '../upstream/circuitBreaker.ts'
import {revisionOf} from '../upstream/siteDocument.ts'
import type {SiteSource} from '../upstream/source.ts'
import {Entries, type Entry, type SitesStatus} from './entries.ts'
import {type Announced, type Announcement, ExpectedRevisions} from './expectedRevisions.ts'
import {Invalidations} from './invalidations.ts'
import {Refresher} from './refresher.ts'

/** What is known of one public identifier. */
export type KnownSite = {
  /** `null`: the lake said that no published site has this identifier. */
  readonly site: CompiledSite | null
  /** When the lake last confirmed this, in milliseconds of the clock. */
  readonly validatedAt: number
}

/** One that there is. */
export type ExistingSite = KnownSite & {readonly site: CompiledSite}

/**
 * Where an answer came from: from memory, and if so fresh enough (`hit`), renewed while the request waited, or `stale`
 * because that took too long; else from the lake (`miss`) or from a snapshot.
 */
export type AnswerFrom = 'hit' | 'renewed' | 'stale' | 'miss' | 'snapshot'

export type SitesOptions = {
  source: SiteSource
  gate: Pick<UpstreamCircuitBreaker, 'patience' | 'refusal'>
  snapshots: Pick<Snapshots, 'has' | 'read' | 'keep' | 'remove'>
  events: ServiceEvents
  /** Bytes of compiled sites, roughly. */
  maxBytes: number
  /** Seconds that the last good answer may stand in while the lake cannot be asked. */
  maxStaleSeconds: number
  /** For ages: milliseconds that never go backwards. */
  clock: () => number
  /** For what outlives the process: milliseconds since 1970, of the system's clock. */
  systemClock?: () => number
}

/** Milliseconds after which an entry is confirmed with the lake in the background. */
const REVALIDATE_AFTER = 10_000

/** Milliseconds after which a request waits for that: `max-age`, so that nothing older passes for fresh. */
const CONFIRM_AFTER = 60_000

/** Milliseconds that a request waits for the lake where a last good answer is at hand. */
const PATIENCE = 30

/** Milliseconds that it waits where the last good answer may be hours old, or where a miss is hard to mend. */
const LONG_PATIENCE = 500

/** The part of the memory for all sites that one site may take. A publish takes it twice for a moment. */
const MAX_SITE_SHARE = 1 / 4

/**
 * The sites that the service serves, by public identifier: kept fresh by live events, by announcements and by age.
 * An answer once given is given again, with its honest age, while the lake cannot be asked.
 */
export class Sites {
  /** How many answers came from where. */
  readonly answered: Record<AnswerFrom, number> = {hit: 0, renewed: 0, stale: 0, miss: 0, snapshot: 0}
  readonly #gate: SitesOptions['gate']
  readonly #snapshots: SitesOptions['snapshots']
  readonly #events: ServiceEvents
  readonly #maxStale: number
  readonly #clock: () => number
  readonly #systemClock: () => number
  readonly #maxSiteBytes: number
  readonly #entries: Entries
  readonly #refresher: Refresher
  readonly #purges: Invalidations

  constructor({
    source,
    gate,
    snapshots,
    events,
    maxBytes,
    maxStaleSeconds,
    clock,
    systemClock = clock,
  }: SitesOptions) {
    this.#gate = gate
    this.#snapshots = snapshots
    this.#events = events
    this.#maxStale = maxStaleSeconds * 1_000
    this.#clock = clock
    this.#systemClock = systemClock
    this.#entries = new Entries(maxBytes)
    this.#maxSiteBytes = maxBytes * MAX_SITE_SHARE
    this.#refresher = new Refresher({
      source,
      gate,
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
    this.#purges = new Invalidations({entries: this.#entries, refresher: this.#refresher, events, clock})
  }

  /**
   * A site that may be given without waiting: nearly always it is. Where it is not, `get` says what there is. Whoever gives
   * it counts the hit.
   */
  atHand(publicId: string): ExistingSite | undefined {
    const entry = this.#entries.get(publicId)
    if (!entry?.site || !this.#isFresh(entry, CONFIRM_AFTER)) return undefined
    return {site: entry.site, validatedAt: entry.validatedAt}
  }

  /**
   * What is known of a public identifier: at once where that is fresh enough.
   * @param maxAge milliseconds since the lake last confirmed it, beyond which a request waits for the lake.
   * @throws LakeError when the lake cannot be asked and nothing good is left to stand in.
   */
  async get(publicId: string, maxAge = CONFIRM_AFTER): Promise<KnownSite> {
    const entry = this.#entries.get(publicId)
    const now = this.#clock()
    if (!entry || now - entry.validatedAt > this.#maxStale) return this.#first(publicId)
    if (!this.#isFresh(entry, maxAge)) {
      return this.#renewed(entry, maxAge < CONFIRM_AFTER ? LONG_PATIENCE : PATIENCE)
    }
    this.answered.hit++
    return entry
  }

  /** Whether a public identifier has a site, as far as is known. */
  hasSite(publicId: string): boolean {
    return this.#entries.peek(publicId)?.site != null || this.#snapshots.has(publicId)
  }

  /** Whether anything is known of a public identifier, or being asked: one more request for it is no query more. */
  isKnown(publicId: string): boolean {
    return (
      this.#entries.peek(publicId) !== undefined ||
      this.#snapshots.has(publicId) ||
      this.#refresher.isAsking(publicId)
    )
  }

  /** Content behind these tags changed: the sites that rest on one are fetched again. */
  purgeTags(tags: readonly string[]): void {
    this.#purges.purgeTags(tags)
  }

  /** Changes may have been missed: the revision of each site is compared with the lake's before it is served again. */
  doubtAll(): void {
    this.#purges.doubtAll()
  }

  /**
   * Somebody says that a document changed. The sites that it touches are fetched again until the announced revision
   * shows; answers from before it are not believed from then on.
   */
  announce(announcement: Announcement): Announced {
    return this.#purges.announce(announcement)
  }

  /** Compares the sites in use with the lake: while live events do not arrive. */
  confirmInUse(): void {
    this.#purges.confirmInUse()
  }

  /** What the cache holds. Looks at every entry. */
  status(): SitesStatus {
    const isFailing = (publicId: string) => this.#refresher.isFailing(publicId)
    return {...this.#entries.status(this.#clock(), isFailing), failing: this.#refresher.failing}
  }

  /** Whether an entry may be given as it is. Whoever asks uses it; one that is not quite new is confirmed behind them. */
  #isFresh(entry: Entry, maxAge: number): boolean {
    const now = this.#clock()
    const age = now - entry.validatedAt
    if (age > this.#maxStale) return false
    entry.usedAt = now
    if (entry.state !== 'current' || age >= maxAge) return false
    if (age >= REVALIDATE_AFTER) this.#refresher.refreshBehind(entry)
    return true
  }

  /** An answer where none is cached that may be given: the lake's, or the snapshot's where it does not answer. */
  async #first(publicId: string): Promise<Entry> {
    const refresh = this.#refresher.refresh(publicId)
    if (this.#snapshots.has(publicId) && !(await withTimeout(this.#gate.patience(LONG_PATIENCE), refresh))) {
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
    // Written in the future: the clock was set back since, and nobody knows for how long the snapshot has been there.
    const knownAge = age < 0 ? CONFIRM_AFTER : age
    if (knownAge > this.#maxStale) return undefined
    const {document, syncTags} = snapshot
    const restored: Entry = {
      publicId,
      site,
      revision: revisionOf(document),
      syncTags,
      expectations: new ExpectedRevisions(),
      validatedAt: now - knownAge,
      usedAt: now,
      state: 'doubted',
      fromSnapshot: true,
      retryAt: 0,
    }
    this.#entries.set(restored)
    this.#events.emit('snapshot', 'used', publicId)
    return restored
  }

  /** @returns undefined for a site that is too large: the limit may have been lowered since it was written. */
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

  /** What the lake says now, or the last good answer where that takes longer than a visitor should wait. */
  async #renewed(entry: Entry, patience: number): Promise<Entry> {
    const mayAsk = this.#clock() >= entry.retryAt
    const renewed =
      mayAsk && (await withTimeout(this.#gate.patience(patience), this.#refresher.refresh(entry.publicId)))
    this.answered[renewed ? 'renewed' : 'stale']++
    return renewed || entry
  }

  /** What is known of a site, for the disk. Its document is unpacked when it is written: nearly always it is there already. */
  #snapshotOf({publicId, syncTags, validatedAt}: Entry, {texts}: CompiledSite): Snapshot {
    return {
      publicId,
      syncTags,
      validatedAt: this.#systemClock() - (this.#clock() - validatedAt),
      get document() {
        return texts.document()
      },
    }
  }
}
