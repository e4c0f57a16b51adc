import type {Revision, SiteAnswer} from '../upstream/source.ts'

/** A change that somebody tells of, such as a webhook: perhaps late, perhaps out of order, perhaps twice. */
export type Announcement = {
  /** The published document that changed. */
  documentId: string
  /** Its revision; `null` where it was deleted or unpublished. */
  revision: string | null
  /** `_updatedAt` of that revision, or of the last one before a deletion. Tells what is late from what lags. */
  updatedAt?: string
  /** Document ids of the sites that it belongs to, and of those that it belonged to before. */
  siteIds?: readonly string[]
  /** Public identifiers that a site has now, and those that it had before. */
  publicIds?: readonly string[]
}

/** The public identifiers that an announcement touches, as far as they are cached. */
export type Announced = {
  /** Those that are refetched. */
  purged: string[]
  /** Those whose answer has the announced revision already, or a later one. */
  current: string[]
}

/** Milliseconds for which the lake is believed to lag behind an announcement. */
const LAG = 15_000

/** Milliseconds until the lake is asked again for a revision that it did not show, doubled each time. */
const FIRST_LOOK = 100
const LAST_LOOK = 2_000

type Expected = Announcement & {until: number; seen: boolean}

/**
 * What the answers for one site must show. The hosted lake acknowledges a write before its queries show it, and each
 * query may be answered from another copy: what was announced is looked for until it shows, and an answer that shows
 * less than an earlier one did is not believed. Both end after some seconds, so that no mistake lasts.
 */
export class ExpectedRevisions {
  /** Made when something is announced: most sites have none, and all have to fit into memory. */
  #expected: Map<string, Expected> | undefined
  #looks = 0

  /**
   * Expects a revision from now on.
   * @param seen where the last answer shows it already.
   * @returns whether it is news: an announcement that comes after a later one of the same document is not.
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

  /** The documents that an answer must tell of, to be judged; `unseen`: those that have not shown in all this time. */
  due(now: number): {documentIds: string[]; unseen: string[]} {
    const unseen = this.#forget(now)
    return {documentIds: [...(this.#expected?.keys() ?? [])], unseen}
  }

  /**
   * Compares an answer with what is expected of the documents that it was asked for.
   * @returns `older` than an answer before it, `lagging` behind an announcement, or `good`.
   */
  judge(
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
        // It may have been overtaken already: from then on, the later one is what earlier answers lack.
        if (found) Object.assign(expected, found)
        if (!expected.seen) Object.assign(expected, {seen: true, until: now + LAG})
      } else if (expected.seen) return 'older'
      else isLagging = true
    }
    return isLagging ? 'lagging' : 'good'
  }

  /** Milliseconds to wait before the lake is asked once more. */
  nextLook(): number {
    return Math.min(FIRST_LOOK * 2 ** this.#looks++, LAST_LOOK)
  }

  #forget(now: number): string[] {
    const unseen: string[] = []
    for (const [id, {until, seen}] of this.#expected ?? []) {
      if (now <= until) continue
      this.#expected?.delete(id)
      if (!seen) unseen.push(id)
    }
    return unseen
  }
}

function isLater(known: Announcement, told: Announcement): boolean {
  if (known.updatedAt === undefined || told.updatedAt === undefined) return false
  // A deletion carries the date of what it deleted.
  const isDeletion = known.revision === null && told.revision !== null
  return isDeletion ? known.updatedAt >= told.updatedAt : known.updatedAt > told.updatedAt
}

function shows(found: Revision | undefined, {revision, updatedAt, seen}: Expected): boolean {
  if (!found) return revision === null
  if (found.revision === revision) return true
  if (updatedAt === undefined) return false
  // The date counts whole seconds. Once the announced revision was seen, what has the same second came after it.
  return found.updatedAt > updatedAt || (seen && revision !== null && found.updatedAt === updatedAt)
}
