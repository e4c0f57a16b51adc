import type {ServiceEvents} from '../events.ts'
import {type Announcement, isIncluded, isLater, isSameSecond} from '../upstream/announcement.ts'
import type {SiteAnswer} from '../upstream/source.ts'

/** How long upstream may lag behind an announcement, in milliseconds. */
const LAG = 15_000

/**
 * Minimum and maximum delay before another fetch if the announced revision is missing, in milliseconds. In between
 * it is as long as the time since the announcement.
 */
const FIRST_LOOK = 100
const LAST_LOOK = 2_000

/** An announcement, and the public IDs of cached sites whose next response must include it. */
type Expected = {
  announcement: Announcement
  readonly publicIds: ReadonlySet<string>
  readonly announcedAt: number
  isSeen: boolean
  /** Whether another revision from the same second was announced too: either may be the later one. */
  readonly isUnordered: boolean
}

/**
 * The revisions that responses must include. Hosted Sanity acknowledges a write before queries return it, and each
 * query may reach a different replica. The cache therefore refetches until the announced revision appears, and for
 * some seconds rejects responses without it. These are few, so that a wrong announcement has no lasting effect.
 */
export class Announcements {
  readonly #events: ServiceEvents
  readonly #clock: () => number
  /** By document ID, in the order of their announcements. */
  readonly #expected = new Map<string, Expected>()

  constructor(events: ServiceEvents, clock: () => number) {
    this.#events = events
    this.#clock = clock
  }

  /**
   * @param publicIds cached sites that the announcement affects.
   * @param isSeen whether one of them already includes the announced revision.
   * @returns false if a later announcement for the same document arrived before.
   */
  add(announcement: Announcement, publicIds: Iterable<string>, isSeen: boolean): boolean {
    this.#forget()
    const {documentId} = announcement
    const earlier = this.#expected.get(documentId)
    if (earlier && isLater(earlier.announcement, announcement)) return false
    this.#expected.delete(documentId)
    this.#expected.set(documentId, {
      announcement,
      publicIds: new Set([...(earlier?.publicIds ?? []), ...publicIds]),
      announcedAt: this.#clock(),
      isSeen,
      isUnordered:
        earlier !== undefined &&
        isSameSecond(announcement, earlier.announcement) &&
        (earlier.isUnordered || announcement.revision !== earlier.announcement.revision),
    })
    return true
  }

  /** Returns the documents whose revisions the next response for a site must include. */
  expectedFor(publicId: string): string[] {
    this.#forget()
    return [...this.#expected].flatMap(([id, {publicIds}]) => (publicIds.has(publicId) ? [id] : []))
  }

  /**
   * Compares a response with the announced revisions of the documents that were queried.
   * @returns how long to wait before the next fetch, in milliseconds, if the response does not include one of them.
   */
  delayAfter({revisions}: Pick<SiteAnswer, 'revisions'>, documentIds: readonly string[]): number | undefined {
    const delays: number[] = []
    for (const documentId of documentIds) {
      const expected = this.#expected.get(documentId)
      if (!expected) continue
      const {announcement, announcedAt} = expected
      const found = revisions.get(documentId)
      if (isIncluded(announcement, found, expected.isSeen || expected.isUnordered)) {
        // A later revision may already have replaced the announced one. From now on, responses must include
        // the later one.
        expected.announcement = {...announcement, ...found}
        expected.isSeen = true
      } else delays.push(Math.max(FIRST_LOOK, Math.min(this.#clock() - announcedAt, LAST_LOOK)))
    }
    return delays.length === 0 ? undefined : Math.min(...delays)
  }

  #forget(): void {
    for (const [documentId, {publicIds, announcedAt, isSeen}] of this.#expected) {
      if (this.#clock() - announcedAt <= LAG) return
      this.#expected.delete(documentId)
      if (!isSeen) for (const publicId of publicIds) this.#events.emit('notObserved', publicId, [documentId])
    }
  }
}
