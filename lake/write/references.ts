import type {Document} from '../documents/document.ts'
import {isPublishedId} from '../documents/ids.ts'
import {refuse} from './errors.ts'
import {strongReferences, type Workspace} from './workspace.ts'

/**
 * Holds that every strong reference of a published document leads to a document, and that nothing which is referred
 * to strongly goes away, drafts' references included. Looks at the end of a transaction: its mutations may come in any
 * order.
 * @throws RefusedError 409
 */
export function checkReferences(workspace: Workspace): void {
  for (const [id, document] of workspace.changed()) {
    if (document === undefined) checkDeleted(id, workspace)
    else checkKept(document, workspace)
  }
}

function checkDeleted(id: string, workspace: Workspace): void {
  if (!isPublishedId(id)) return
  const referencing = workspace.referencesTo(id)
  if (referencing.length > 0) throw refuse.stillReferenced(id, referencing)
}

function checkKept(document: Document, workspace: Workspace): void {
  const missing = [...strongReferences(document)].filter((id) => workspace.get(id) === undefined)
  if (missing.length > 0) throw refuse.refersToNothing(document._id, missing)
}
