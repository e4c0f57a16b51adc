import type {DocumentRevision} from '../documentRevision.ts'
import type {PurgeCause, ServiceEvents} from '../events.ts'
import {revisionsIn} from '../site/compiledSite.ts'
import {type Entries, type Entry, isInUse} from './entries.ts'
import type {Announced, Announcement} from './expectedRevisions.ts'
import type {Refresher} from './refresher.ts'

export type PurgesOptions = {
  entries: Entries
  refresher: Refresher
  events: ServiceEvents
  clock: () => number
}

/**
 * Marks entries that changed or may have changed. Nothing is deleted: the old response is served until
 * upstream returns a new one. Sites in use are refetched at once, so that no visitor waits.
 */
export class Invalidations {
  readonly #entries: Entries
  readonly #refresher: Refresher
  readonly #events: ServiceEvents
  readonly #clock: () => number

  constructor({entries, refresher, events, clock}: PurgesOptions) {
    this.#entries = entries
    this.#refresher = refresher
    this.#events = events
    this.#clock = clock
  }

  /** See `Sites.invalidateTags`. */
  invalidateTags(tags: readonly string[]): void {
    this.#refresher.invalidateTagsInFlight(tags)
    this.#purge('live event', this.#entries.restingOnTags(tags))
  }

  /** See `Sites.markAllUnverified`. */
  markAllUnverified(): void {
    this.#refresher.markAllUnverifiedInFlight()
    const unverified: string[] = []
    for (const entry of this.#entries.all()) {
      entry.retryAt = 0
      if (entry.state !== 'fresh') continue
      entry.state = 'unverified'
      unverified.push(entry.publicId)
    }
    if (unverified.length > 0) this.#events.emit('purged', 'gap in live events', unverified)
    this.confirmInUse()
  }

  /** See `Sites.announce`. */
  announce(announcement: Announcement): Announced {
    const {documentId, revision, siteIds = [], publicIds = []} = announcement
    const announced: Announced = {purged: [], current: []}
    const touched = this.#entries.madeOf([documentId, ...siteIds])
    for (const publicId of publicIds) {
      // A first fetch of this site may be in flight.
      this.#refresher.invalidateInFlight(publicId)
      this.#refresher.retryNow(publicId)
      touched.add(publicId)
    }
    for (const publicId of touched) {
      const entry = this.#entries.peek(publicId)
      if (!entry) continue
      const isShown = revision !== null && shows(entry, {documentId, revision})
      const isNews = entry.expectations.add(announcement, this.#clock(), isShown)
      const isCurrent = !isNews || (isShown && entry.state === 'fresh')
      announced[isCurrent ? 'current' : 'purged'].push(publicId)
    }
    for (const publicId of announced.purged) this.#refresher.invalidateInFlight(publicId)
    this.#purge('announcement', new Set(announced.purged))
    return announced
  }

  /** See `Sites.confirmInUse`. */
  confirmInUse(): void {
    const now = this.#clock()
    for (const entry of this.#entries.sites()) if (isInUse(entry, now)) this.#refresher.refreshBehind(entry)
  }

  #purge(cause: PurgeCause, publicIds: ReadonlySet<string>): void {
    if (publicIds.size === 0) return
    this.#events.emit('purged', cause, [...publicIds])
    for (const publicId of publicIds) {
      this.#refresher.retryNow(publicId)
      const entry = this.#entries.peek(publicId)
      if (!entry) continue
      entry.state = 'stale'
      entry.retryAt = 0
      // Refetch now, so that the next request does not wait.
      if (entry.site && isInUse(entry, this.#clock())) this.#refresher.refreshBehind(entry)
    }
  }
}

function shows({site}: Entry, {documentId, revision}: DocumentRevision): boolean {
  return (
    site !== null && revisionsIn(site).some((of) => of.documentId === documentId && of.revision === revision)
  )
}
