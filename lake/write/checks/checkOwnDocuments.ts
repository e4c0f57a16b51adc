import type {Document} from '../../../content/document.ts'
import {isReleaseId, isReviewId, isSystemId} from '../../../content/ids.ts'
import {refuse} from '../errors.ts'
import type {Workspace} from '../transaction/workspace.ts'

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
