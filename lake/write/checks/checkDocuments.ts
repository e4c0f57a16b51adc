import type {Document} from '../../../content/document.ts'
import {
  draftId,
  isPublishedId,
  isReleaseId,
  isReviewId,
  isSystemId,
  versionedId,
} from '../../../content/ids.ts'
import {strongReferences} from '../../../content/keys.ts'
import {refuse} from '../errors.ts'
import type {TimeSlices} from '../timeSlices.ts'
import type {Workspace} from '../transaction/workspace.ts'

/**
 * Checks that no document changes its type, also not from a draft to what is published. Rights, references and reviews
 * are decided by type: a site that became a tool would take its website's tools away.
 * @param changed the new states; undefined for deleted documents
 * @throws RefusedError 409
 */
export function checkTypes(changed: ReadonlyMap<string, Document | undefined>, workspace: Workspace): void {
  for (const [id, after] of changed) {
    if (after === undefined) continue
    const relatedId = isPublishedId(id) ? draftId(id) : versionedId(id)
    const related = relatedId === undefined ? undefined : workspace.get(relatedId)
    for (const other of [workspace.before(id), related])
      if (other !== undefined && other._type !== after._type)
        throw refuse.typeChanged(id, other._type, after._type)
  }
}

/**
 * Only the lake changes the documents of reviews and releases, so that a person cannot do it in the name of another.
 * @throws RefusedError 403
 */
export function checkOwnDocuments(
  changed: ReadonlyMap<string, Document | undefined>,
  {own}: Workspace,
): void {
  for (const [id, after] of changed) {
    if (!(isReviewId(id) || isSystemId(id)) || (own.has(id) && own.get(id) === after)) continue
    throw refuse.notAllowed(id, 'update', `${ownName(id)} can only be changed with its own actions`)
  }
}

function ownName(id: string): string {
  if (isReviewId(id)) return 'A review'
  return isReleaseId(id) ? 'A release' : 'A document of the lake, whose ID begins with "_.",'
}

/**
 * Checks that every strong reference of a published document leads to a document, and that no document is
 * deleted to which a strong reference, of a draft or a published document, leads. Call it at the end of a
 * transaction, since its mutations may come in any order. Each document is searched once, however many are
 * deleted.
 * @throws RefusedError 409
 */
export async function checkReferences(workspace: Workspace, slices: TimeSlices): Promise<void> {
  const changed = workspace.changed()
  const known = new Map<Document, Set<string>>()
  const referencesOf = (document: Document) => {
    const references = known.get(document) ?? strongReferences(document)
    known.set(document, references)
    return references
  }
  /** Ids of the changed documents that reference an id. */
  const referrers = new Map<string, string[]>()
  for (const [id, document] of changed) {
    if (document === undefined) continue
    for (const reference of referencesOf(document)) {
      const ids = referrers.get(reference)
      if (ids) ids.push(id)
      else referrers.set(reference, [id])
    }
    await slices.turn()
  }
  for (const [id, document] of changed) {
    if (document !== undefined) {
      const missing = [...referencesOf(document)].filter((other) => workspace.get(other) === undefined)
      const isRemoved = missing.some((other) => workspace.before(other) !== undefined)
      if (missing.length > 0) throw refuse.refersToNothing(id, missing, isRemoved)
    } else if (isPublishedId(id)) {
      const unchanged = workspace
        .referrersInStore(id)
        .filter((other) => !changed.has(other._id) && referencesOf(other).has(id))
      const [left, ...others] = referrers.get(id) ?? []
      if (left !== undefined && unchanged.length === 0 && others.length === 0)
        throw refuse.refersToNothing(left, [id], true)
      const referencing = [...unchanged.map((other) => other._id), ...(referrers.get(id) ?? [])]
      if (referencing.length > 0) throw refuse.stillReferenced(id, referencing)
    }
    await slices.turn()
  }
}
