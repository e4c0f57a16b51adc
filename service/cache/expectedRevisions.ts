import type {Revision, SiteAnswer} from '../upstream/source.ts'

/** A change reported by a webhook, for example. Announcements may arrive late, out of order or twice. */
export type Announcement = {
  /** ID of the published document that changed. */
  documentId: string
  /** Its revision, or `null` if it was deleted or unpublished. */
  revision: string | null
  /**
   * `_updatedAt` of that revision, or of the last one before a deletion. Distinguishes a late announcement
   * from a lagging upstream.
   */
  updatedAt?: string
  /** Document IDs of the sites that the document belongs to, and of those it belonged to before. */
  siteIds?: readonly string[]
  /** Public IDs that a site has now, and those it had before. */
  publicIds?: readonly string[]
}

/** The cached public IDs that an announcement affects. */
export type Announced = {
  /** Sites that are fetched again. */
  purged: string[]
  /** Sites whose cached response already has the announced revision or a later one. */
  current: string[]
}

/** How long upstream may lag behind an announcement, in milliseconds. */
const LAG = 15_000

/**
 * Initial and maximum delay before another fetch if the announced revision is missing, in milliseconds.
 * Doubles each time.
 */
const FIRST_LOOK = 100
const LAST_LOOK = 2_000

type Expected = Announcement & {until: number; seen: boolean}

/**
 * The revisions that responses for one site must include. Hosted Sanity acknowledges a write before queries
 * return it, and each query may reach a different replica. The cache therefore refetches until the announced
 * revision appears, and rejects a response that is older than a previous one. Both stop after some seconds,
 * so that a wrong announcement has no lasting effect.
 */
export class ExpectedRevisions {
  /** Created with the first announcement, to save memory: most sites have none. */
  #expected: Map<string, Expected> | undefined
  #looks = 0

  /**
   * Adds an expected revision.
   * @param seen whether the cached response already includes it.
   * @returns false if a later announcement for the same document arrived before.
   */
  add(announcement: Announcement, now: number, seen: boolean): boolean {
    this.#forget(now)
    this.#expected ??= new Map()
    const earlier = this.#expected.get(announcement.documentId)
    if (earlier && isLater(earlier, announcement)) return false
    this.#looks = 0
    this.#expected.set(announcement.documentId, {...announcement, until: now + LAG, seen})
    return true
  }

  /**
   * Returns the documents whose revisions the next response must include. `notObserved` lists those that never
   * appeared before their timeout.
   */
  pending(now: number): {documentIds: string[]; notObserved: string[]} {
    const notObserved = this.#forget(now)
    return {documentIds: [...(this.#expected?.keys() ?? [])], notObserved}
  }

  /**
   * Compares a response with the expected revisions of the documents that were queried.
   * @returns `older` if it is older than a previous response, `lagging` if it does not include an announced
   * revision yet, else `good`.
   */
  check(
    {revisions}: Pick<SiteAnswer, 'revisions'>,
    documentIds: readonly string[],
    now: number,
  ): 'good' | 'lagging' | 'older' {
    let isLagging = false
    for (const documentId of documentIds) {
      const expected = this.#expected?.get(documentId)
      if (!expected) continue
      const found = revisions.get(documentId)
      if (shows(found, expected)) {
        // A later revision may already have replaced the announced one. From now on, responses must include
        // the later one.
        if (found) Object.assign(expected, found)
        if (!expected.seen) Object.assign(expected, {seen: true, until: now + LAG})
      } else if (expected.seen) return 'older'
      else isLagging = true
    }
    return isLagging ? 'lagging' : 'good'
  }

  /** Returns the delay before the next fetch, in milliseconds. */
  nextDelay(): number {
    return Math.min(FIRST_LOOK * 2 ** this.#looks++, LAST_LOOK)
  }

  #forget(now: number): string[] {
    const notObserved: string[] = []
    for (const [id, {until, seen}] of this.#expected ?? []) {
      if (now <= until) continue
      this.#expected?.delete(id)
      if (!seen) notObserved.push(id)
    }
    return notObserved
  }
}

function isLater(known: Announcement, told: Announcement): boolean {
  if (known.updatedAt === undefined || told.updatedAt === undefined) return false
  // A deletion has the date of the revision that it deleted.
  const isDeletion = known.revision === null && told.revision !== null
  return isDeletion ? known.updatedAt >= told.updatedAt : known.updatedAt > told.updatedAt
}

function shows(found: Revision | undefined, {revision, updatedAt, seen}: Expected): boolean {
  if (!found) return revision === null
  if (found.revision === revision) return true
  if (updatedAt === undefined) return false
  // Dates have a resolution of one second. Once the announced revision was seen, another revision from the
  // same second must be later.
  return found.updatedAt > updatedAt || (seen && revision !== null && found.updatedAt === updatedAt)
}
