import type {Revision} from './source.ts'

/** A change reported by a webhook, for example. Announcements may arrive late, out of order or twice. */
export type Announcement = {
  /** ID of the published document that changed. */
  readonly documentId: string
  /** Its revision, or `null` if it was deleted or unpublished. */
  readonly revision: string | null
  /**
   * `_updatedAt` of that revision, or of the last one before a deletion. Distinguishes a late announcement
   * from a lagging upstream.
   */
  readonly updatedAt?: string
  /** Document IDs of the sites that the document belongs to, and of those it belonged to before. */
  readonly siteIds?: readonly string[]
  /** Public IDs that a site has now, and those it had before. */
  readonly publicIds?: readonly string[]
}

/** Whether the first announcement is of a later revision than the second. Dates have a resolution of one second. */
export function isLater(one: Announcement, other: Announcement): boolean {
  if (one.updatedAt === undefined || other.updatedAt === undefined) return false
  // A deletion has the date of the revision that it deleted.
  const isDeletion = one.revision === null && other.revision !== null
  return isDeletion ? one.updatedAt >= other.updatedAt : one.updatedAt > other.updatedAt
}

/** Whether two announcements are of the same second, so that their dates do not tell which is later. */
export function isSameSecond(one: Announcement, other: Announcement): boolean {
  return one.updatedAt !== undefined && one.updatedAt === other.updatedAt
}

/**
 * Whether a response includes the announced revision or a later one.
 * @param found the revision in the response; undefined if the document does not exist.
 * @param acceptsSameSecond whether another revision from the same second counts, because an earlier response
 * included the announced revision, or because several revisions from that second were announced.
 */
export function isIncluded(
  {revision, updatedAt}: Announcement,
  found: Revision | undefined,
  acceptsSameSecond: boolean,
): boolean {
  if (!found) return revision === null
  if (found.revision === revision) return true
  if (updatedAt === undefined) return false
  return (
    found.updatedAt > updatedAt || (acceptsSameSecond && revision !== null && found.updatedAt === updatedAt)
  )
}
