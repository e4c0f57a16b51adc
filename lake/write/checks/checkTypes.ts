import type {Document} from '../../../content/document.ts'
import {draftId, isPublishedId, versionedId} from '../../../content/ids.ts'
import {refuse} from '../errors.ts'
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
