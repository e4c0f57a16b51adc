import type {PurgeCause} from '../events.ts'
import {revisionsIn} from '../site/compiledSite.ts'
import {Audit} from './audit.ts'
import {Comparisons} from './comparisons.ts'
import {type Entry, isInUse} from './entries.ts'
import type {Announced, Announcement} from './expectedRevisions.ts'
import type {Freshness} from './freshness.ts'
import type {Refresher, RefresherOptions} from './refresher.ts'

/** Interval between audits while sites are in use, in milliseconds. */
const AUDIT_EVERY = 45_000

/** How long a live event may take, in milliseconds. A change that none has reported by then was lost. */
const EVENT_WITHIN = 10_000

/** How long the stream is not trusted after it lost an event, and after an audit failed, in milliseconds. */
const AFTER_LOSS = 3_600_000
const AFTER_FAILURE = 60_000

export type RevalidationOptions = Pick<
  RefresherOptions,
  'source' | 'breaker' | 'entries' | 'events' | 'clock'
> & {freshness: Freshness; refresher: Refresher}

/**
 * Revalidates sites in the background: by live events, which an audit checks, or else by comparing those in use
 * with upstream. Nothing is deleted: the old response is served until upstream returns a new one.
 */
export class Revalidation {
  readonly #options: RevalidationOptions
  readonly #comparisons: Comparisons
  readonly #audit: Audit
  #auditedAt = Number.NEGATIVE_INFINITY
  /** Sites that the last audit doubts, and when a comparison found that they differ. */
  readonly #doubtful = new Map<string, number>()

  constructor(options: RevalidationOptions) {
    this.#options = options
    this.#audit = new Audit(options)
    const onDifference = (publicId: string) => {
      if (this.#doubtful.has(publicId)) this.#doubtful.set(publicId, options.clock())
    }
    this.#comparisons = new Comparisons({...options, onDifference})
  }

  /** Revalidates an entry in the background, unless it backs off. */
  revalidate(entry: Entry): void {
    const {clock, refresher} = this.#options
    if (clock() < entry.retryAt) return
    if (entry.site && !entry.isStale) this.#comparisons.add(entry)
    else refresher.refreshInBackground(entry.publicId)
  }

  /** The stream of live events has connected or ended. */
  setConnected(isConnected: boolean): void {
    if (isConnected) this.markAllUnverified(isConnected)
    else this.#options.freshness.begin(isConnected)
  }

  /** Something arrived on the stream. */
  signOfLife(): void {
    if (!this.#options.freshness.signOfLife()) this.markAllUnverified()
  }

  /** The stream lost an event. */
  missedEvent(): void {
    this.#options.events.emit('lost', 'stream', [])
    this.markAllUnverified()
  }

  /** Changes may have been missed: compares the sites in use now, and others when they are requested. */
  markAllUnverified(isConnected?: boolean): void {
    const {entries, events, freshness} = this.#options
    freshness.begin(isConnected)
    const publicIds: string[] = []
    for (const entry of entries.all()) {
      entry.retryAt = 0
      publicIds.push(entry.publicId)
    }
    if (publicIds.length > 0) events.emit('purged', 'gap in live events', publicIds)
    this.#compareInUse()
  }

  /** Content with these sync tags changed: fetches the affected sites again. */
  invalidateTags(tags: readonly string[]): void {
    const {entries, refresher} = this.#options
    refresher.invalidateInFlight(tags)
    const touched = entries.touchedBy(tags)
    for (const publicId of touched) this.#doubtful.delete(publicId)
    this.#purge('live event', [...touched])
  }

  /**
   * Handles an announced change of a document. The affected sites are fetched again until the announced
   * revision appears. Older responses are rejected from then on.
   */
  announce(announcement: Announcement): Announced {
    const {entries, refresher, clock} = this.#options
    const {documentId, revision, siteIds = [], publicIds = []} = announcement
    const announced: Announced = {purged: [], current: []}
    for (const publicId of publicIds) refresher.failing.retryNow(publicId)
    for (const publicId of new Set([...entries.touchedBy([documentId, ...siteIds]), ...publicIds])) {
      const entry = entries.peek(publicId)
      if (!entry) continue
      const documents = entry.site ? revisionsIn(entry.site) : []
      const isShown = documents.some(
        (known) => known.documentId === documentId && known.revision === revision,
      )
      const isNews = entry.expectations.add(announcement, clock(), isShown)
      const isCurrent = !isNews || (isShown && !entry.isStale)
      announced[isCurrent ? 'current' : 'purged'].push(publicId)
    }
    // A first fetch of the named sites may be in flight.
    refresher.invalidateInFlight([...publicIds, ...announced.purged])
    this.#purge('announcement', announced.purged)
    return announced
  }

  /** Runs the first audit when the first site is requested: later ones compare with it. */
  startAudits(): void {
    if (this.#auditedAt === Number.NEGATIVE_INFINITY) void this.#runAudit()
  }

  /** Compares or audits the sites in use. Called every few seconds. Never rejects. */
  async keepFresh(): Promise<void> {
    const {freshness, clock} = this.#options
    this.#reportLosses()
    if (freshness.isTrustedAgain) this.markAllUnverified()
    else if (!freshness.isLive) this.#compareInUse()
    const isDue = freshness.isLive && clock() - this.#auditedAt >= AUDIT_EVERY
    if (isDue && this.#inUse().length > 0) await this.#runAudit()
  }

  async #runAudit(): Promise<void> {
    const {entries, breaker, clock, freshness} = this.#options
    if (breaker.refusal('known')) return
    this.#auditedAt = clock()
    const found = await this.#audit.run().catch(() => undefined)
    this.#doubtful.clear()
    const doubtful =
      found === 'all' ? this.#inUse() : [...(found ?? [])].flatMap((id) => entries.peek(id) ?? [])
    for (const entry of doubtful) {
      this.#doubtful.set(entry.publicId, Number.POSITIVE_INFINITY)
      this.#comparisons.add(entry)
    }
    if (found === 'all') freshness.begin()
    else if (!found) freshness.distrust(AFTER_FAILURE)
  }

  /** Marks sites that changed. Those in use are refetched at once, so that no visitor waits. */
  #purge(cause: PurgeCause, publicIds: readonly string[]): void {
    const {entries, freshness, refresher, events, clock} = this.#options
    if (publicIds.length > 0) events.emit('purged', cause, publicIds)
    for (const publicId of publicIds) {
      refresher.failing.retryNow(publicId)
      const entry = entries.peek(publicId)
      if (!entry) continue
      freshness.extend(entry)
      entry.isStale = true
      entry.retryAt = 0
      if (entry.site && isInUse(entry, clock())) refresher.refreshInBackground(publicId)
    }
  }

  #reportLosses(): void {
    const {events, clock, freshness} = this.#options
    const lost = [...this.#doubtful].filter(([, at]) => clock() - at >= EVENT_WITHIN)
    if (lost.length === 0) return
    this.#doubtful.clear()
    freshness.distrust(AFTER_LOSS)
    events.emit(
      'lost',
      'audit',
      lost.map(([publicId]) => publicId),
    )
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
