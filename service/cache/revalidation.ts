import {inBackground} from '../../common/background.ts'
import {wait} from '../../common/backoff.ts'
import type {PurgeCause} from '../events.ts'
import {type CompiledSite, revisionsIn} from '../site/compiledSite.ts'
import {type ChangedIds, Changes} from '../upstream/changes.ts'
import {Comparisons, type ComparisonsOptions} from './comparisons.ts'
import {type Entry, isInUse} from './entries.ts'
import type {Freshness} from './freshness.ts'
import type {Refresher, RefresherOptions} from './refresher.ts'

/** Interval between audits while sites are in use, in milliseconds. */
const AUDIT_EVERY = 45_000

/** How long a live event may take, in milliseconds. A change that none has reported by then was lost. */
const EVENT_WITHIN = 10_000

/** How long the stream is not trusted after it lost an event, and after an audit failed, in milliseconds. */
const AFTER_LOSS = 3_600_000
const AFTER_FAILURE = 60_000

/** Delays after which a site is compared again that still is as before its change was announced, in milliseconds: 1 s and 5 s after it. */
const AFTER_ANNOUNCEMENT = [1_000, 4_000]

/** A change that a webhook reports. It may arrive late, out of order or twice. */
export type Announcement = {
  /** ID of the published document that changed. */
  readonly documentId: string
  /** Its revision, or `null` if it was deleted or unpublished. */
  readonly revision: string | null
  /** Document IDs of the sites that the document belongs to, and of those it belonged to before. */
  readonly siteIds?: readonly string[]
  /** Public IDs that a site has now, and those it had before. */
  readonly publicIds?: readonly string[]
}

/** The cached public IDs that an announcement affects. */
export type Announced = {
  /** Sites that are fetched again. */
  readonly purged: string[]
  /** Sites whose cached response already has the announced revision. */
  readonly current: string[]
}

export type RevalidationOptions = Pick<
  RefresherOptions,
  'source' | 'breaker' | 'entries' | 'events' | 'closing' | 'clock'
> &
  Pick<ComparisonsOptions, 'now' | 'pause'> & {
    readonly freshness: Freshness
    readonly refresher: Refresher
    /** Waits after an announcement, for so many milliseconds: by default in real time. */
    readonly later?: (milliseconds: number) => Promise<unknown>
  }

/**
 * Revalidates sites in the background: by live events, which an audit checks, or else by comparing those in use
 * with upstream. Nothing is deleted: the old response is served until upstream returns a new one.
 */
export class Revalidation {
  readonly #options: RevalidationOptions
  readonly #comparisons: Comparisons
  readonly #changes: Changes
  #auditedAt = Number.NEGATIVE_INFINITY
  /** Sites that the last audit doubts, and their revisions then. */
  #doubtful = new Map<string, string>()

  constructor(options: RevalidationOptions) {
    this.#options = options
    this.#comparisons = new Comparisons(options)
    this.#changes = new Changes(options.source, options.clock)
  }

  /** Revalidates an entry in the background, unless it backs off. One that fails is fetched alone. */
  revalidate(entry: Entry): void {
    const {refresher} = this.#options
    const isFailing = refresher.backoff.isFailing(entry.publicId)
    if (!entry.site || entry.isStale || isFailing) refresher.refreshInBackground(entry.publicId)
    else if (!refresher.backoff.reason(entry.publicId)) this.#comparisons.add(entry)
  }

  /** The stream of live events has connected or ended. */
  setConnected(isConnected: boolean): void {
    this.#options.freshness.begin(isConnected)
    if (isConnected) this.markAllUnverified()
  }

  /** Something arrived on the stream. */
  signOfLife(): void {
    if (!this.#options.freshness.signOfLife()) this.markAllUnverified()
  }

  /** Changes may have been missed: compares the sites in use now, and others when they are requested. */
  markAllUnverified(): void {
    const {entries, events, freshness, refresher} = this.#options
    freshness.begin()
    refresher.backoff.retryAll()
    const publicIds = Array.from(entries.all(), ({publicId}) => publicId)
    if (publicIds.length > 0) events.emit('purged', 'gap_in_live_events', publicIds)
    this.#compareInUse()
  }

  /** Content with these sync tags changed: fetches the affected sites again. */
  invalidateTags(tags: readonly string[]): void {
    const {entries, refresher} = this.#options
    refresher.invalidateInFlight(tags)
    this.#purge('live_event', [...entries.touchedBy(tags)])
  }

  /**
   * Handles an announced change of a document: fetches the affected sites again. Hosted Sanity acknowledges a write before
   * all of its replicas return it, so those that did not change then are compared after a second and after five.
   */
  announce(announcement: Announcement): Announced {
    const {refresher} = this.#options
    const {documentId, siteIds = [], publicIds = []} = announcement
    for (const publicId of publicIds) refresher.backoff.retryNow(publicId)
    const affected = this.#affectedBy({documentIds: [documentId, ...siteIds], publicIds})
    const changed: Entry[] = []
    const announced: Announced = {purged: [], current: []}
    for (const entry of affected) {
      const isCurrent = entry.site && !entry.isStale && includes(entry.site, announcement)
      announced[isCurrent ? 'current' : 'purged'].push(entry.publicId)
      if (!isCurrent) changed.push(entry)
    }
    for (const entry of changed) refresher.replace(entry)
    // A first fetch of the named sites may be in flight.
    refresher.invalidateInFlight([...publicIds, ...announced.purged])
    this.#purge('announcement', announced.purged)
    this.#begin(() => this.#compareLater(changed))
    return announced
  }

  /** Runs the first audit when the first site is requested: later ones compare with it. */
  startAudits(): void {
    if (this.#auditedAt === Number.NEGATIVE_INFINITY) this.#begin(() => this.#runAudit())
  }

  /** Compares or audits the sites in use. Called every few seconds. Never rejects. */
  async keepFresh(): Promise<void> {
    const {freshness, clock} = this.#options
    const sinceAudit = clock() - this.#auditedAt
    if (sinceAudit >= EVENT_WITHIN) this.#reportLosses()
    if (!freshness.isLive) this.#compareInUse()
    else if (sinceAudit >= AUDIT_EVERY && this.#inUse().length > 0) await this.#runAudit()
  }

  #begin(work: () => Promise<void>): void {
    void inBackground(work, {onFailure: (error) => this.#options.events.emit('workFailed', error)})
  }

  /** Asks what changed, of all sites, and compares the sites that it affects. */
  async #runAudit(): Promise<void> {
    const {breaker, clock, freshness} = this.#options
    if (breaker.refusal('known')) return
    this.#auditedAt = clock()
    const changed = await this.#changes.next().catch(() => undefined)
    const affected = changed === 'any' ? this.#inUse() : this.#affectedBy(changed)
    // A live event has named those that are stale.
    const doubtful = affected.filter(({isStale}) => !isStale)
    this.#doubtful = new Map(doubtful.map(({publicId, revision}) => [publicId, revision]))
    for (const entry of doubtful) this.#comparisons.add(entry)
    if (changed === 'any') freshness.begin()
    else if (!changed) freshness.distrust(AFTER_FAILURE)
  }

  /** Finds sites that the last audit doubted and that changed since, though nothing reported it. */
  #reportLosses(): void {
    const {entries, events, freshness} = this.#options
    const lost = [...this.#doubtful].filter(([publicId, revision]) => {
      const entry = entries.peek(publicId)
      return entry && entry.revision !== revision
    })
    this.#doubtful.clear()
    if (lost.length === 0) return
    freshness.distrust(AFTER_LOSS)
    events.emit(
      'lost',
      'audit',
      lost.map(([publicId]) => publicId),
    )
  }

  async #compareLater(changed: readonly Entry[]): Promise<void> {
    const {closing, clock, entries, later} = this.#options
    const before = new Map(changed.map(({publicId, revision}) => [publicId, revision]))
    for (const milliseconds of AFTER_ANNOUNCEMENT) {
      await (later ? later(milliseconds) : wait(milliseconds, closing))
      if (closing.aborted) return
      for (const [publicId, revision] of before) {
        const entry = entries.peek(publicId)
        if (entry?.revision === revision && isInUse(entry, clock())) this.revalidate(entry)
      }
    }
  }

  /** Marks sites that changed. Those in use are refetched at once, so that no visitor waits. */
  #purge(cause: PurgeCause, publicIds: readonly string[]): void {
    const {entries, freshness, refresher, events, clock} = this.#options
    if (publicIds.length > 0) events.emit('purged', cause, publicIds)
    for (const publicId of publicIds) {
      this.#doubtful.delete(publicId)
      refresher.backoff.retryNow(publicId)
      const entry = entries.peek(publicId)
      if (!entry) continue
      freshness.extend(entry)
      entry.isStale = true
      if (entry.site && isInUse(entry, clock())) refresher.refreshInBackground(publicId)
    }
  }

  /** The cached sites that include these documents, or have these public IDs. */
  #affectedBy({documentIds, publicIds}: ChangedIds = {documentIds: [], publicIds: []}): Entry[] {
    const {entries} = this.#options
    const affected = new Set([...entries.touchedBy(documentIds), ...publicIds])
    return [...affected].flatMap((publicId) => entries.peek(publicId) ?? [])
  }

  /** Sites that earlier comparisons did not reach come first, then those that were requested last. */
  #compareInUse(): void {
    const uncovered = this.#inUse().filter((entry) => !this.#options.freshness.covers(entry))
    for (const entry of uncovered.sort((a, b) => a.validatedAt - b.validatedAt)) this.revalidate(entry)
  }

  #inUse(): Entry[] {
    const now = this.#options.clock()
    return [...this.#options.entries.sites()].filter((entry) => isInUse(entry, now))
  }
}

function includes(site: CompiledSite, {documentId, revision}: Announcement): boolean {
  return revisionsIn(site).some((known) => known.documentId === documentId && known.revision === revision)
}
