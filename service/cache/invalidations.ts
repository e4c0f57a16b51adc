import type {DocumentRevision} from '../documentRevision.ts'
import type {PurgeCause, ServiceEvents} from '../events.ts'
import {revisionsIn} from '../site/compiledSite.ts'
import {type Entries, type Entry, isInUse} from './entries.ts'
import type {Announced, Announcement} from './expectedRevisions.ts'
import type {Freshness} from './freshness.ts'
import type {Refresher} from './refresher.ts'
import type {Revalidation} from './revalidation.ts'

export type InvalidationsOptions = {
  entries: Entries
  freshness: Freshness
  refresher: Refresher
  revalidation: Pick<Revalidation, 'explain'>
  events: ServiceEvents
  clock: () => number
}

/**
 * Marks entries that changed. Nothing is deleted: the old response is served until upstream returns a new one.
 * Sites in use are refetched at once, so that no visitor waits.
 */
export class Invalidations {
  readonly #options: InvalidationsOptions

  constructor(options: InvalidationsOptions) {
    this.#options = options
  }

  /** See `Sites.invalidateTags`. */
  invalidateTags(tags: readonly string[]): void {
    const {entries, refresher, revalidation} = this.#options
    refresher.invalidateInFlight(tags)
    const touched = entries.touchedBy(tags)
    revalidation.explain(touched)
    this.#purge('live event', touched)
  }

  /** See `Sites.announce`. */
  announce(announcement: Announcement): Announced {
    const {entries, refresher, clock} = this.#options
    const {documentId, revision, siteIds = [], publicIds = []} = announcement
    const announced: Announced = {purged: [], current: []}
    for (const publicId of publicIds) refresher.failing.retryNow(publicId)
    const touched = new Set([...entries.touchedBy([documentId, ...siteIds]), ...publicIds])
    for (const publicId of touched) {
      const entry = entries.peek(publicId)
      if (!entry) continue
      const isShown = revision !== null && shows(entry, {documentId, revision})
      const isNews = entry.expectations.add(announcement, clock(), isShown)
      const isCurrent = !isNews || (isShown && !entry.isStale)
      announced[isCurrent ? 'current' : 'purged'].push(publicId)
    }
    // A first fetch of the named sites may be in flight.
    refresher.invalidateInFlight([...publicIds, ...announced.purged])
    this.#purge('announcement', new Set(announced.purged))
    return announced
  }

  #purge(cause: PurgeCause, publicIds: ReadonlySet<string>): void {
    const {entries, freshness, refresher, events, clock} = this.#options
    if (publicIds.size === 0) return
    events.emit('purged', cause, [...publicIds])
    for (const publicId of publicIds) {
      refresher.failing.retryNow(publicId)
      const entry = entries.peek(publicId)
      if (!entry) continue
      freshness.extend(entry)
      entry.isStale = true
      entry.retryAt = 0
      // Refetch now, so that the next request does not wait.
      if (entry.site && isInUse(entry, clock())) refresher.refreshBehind(publicId)
    }
  }
}

function shows({site}: Entry, {documentId, revision}: DocumentRevision): boolean {
  return (
    site !== null && revisionsIn(site).some((of) => of.documentId === documentId && of.revision === revision)
  )
}
