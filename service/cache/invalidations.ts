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

  /** See `Sites.purgeTags`. */
  purgeTags(tags: readonly string[]): void {
    this.#refresher.missTags(tags)
    this.#purge('live event', this.#entries.restingOnTags(tags))
  }

  /** See `Sites.doubtAll`. */
  doubtAll(): void {
    this.#refresher.missAll()
    const doubted: string[] = []
    for (const entry of this.#entries.all()) {
      entry.retryAt = 0
      if (entry.state !== 'current') continue
      entry.state = 'doubted'
      doubted.push(entry.publicId)
    }
    if (doubted.length > 0) this.#events.emit('purged', 'gap in live events', doubted)
    this.confirmInUse()
  }

  /** See `Sites.announce`. */
  announce(announcement: Announcement): Announced {
    const {documentId, revision, siteIds = [], publicIds = []} = announcement
    const announced: Announced = {purged: [], current: []}
    const touched = this.#entries.madeOf([documentId, ...siteIds])
    for (const publicId of publicIds) {
      // A first fetch of this site may be in flight.
      this.#refresher.missChange(publicId)
      this.#refresher.retryNow(publicId)
      touched.add(publicId)
    }
    for (const publicId of touched) {
      const entry = this.#entries.peek(publicId)
      if (!entry) continue
      const isShown = revision !== null && shows(entry, {documentId, revision})
      const isNews = entry.expectations.add(announcement, this.#clock(), isShown)
      const isCurrent = !isNews || (isShown && entry.state === 'current')
      announced[isCurrent ? 'current' : 'purged'].push(publicId)
    }
    for (const publicId of announced.purged) this.#refresher.missChange(publicId)
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
      entry.state = 'outdated'
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
