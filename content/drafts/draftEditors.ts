import {isJsonObject} from '../../common/json.ts'
import type {Author} from '../../git/objects/commitObject.ts'
import {revisionOf} from '../canonical.ts'
import type {Document} from '../document.ts'
import {publishedId} from '../ids.ts'

/** A person or a program that changed a draft, as its commit names them. */
export type DraftEditor = Author & {readonly id: string}

/**
 * Who has changed a draft since it began, for reviews. A draft that is the same as the published document has
 * no editors yet.
 * @param before the draft before the change: undefined if there was none. Its editors are undefined if it was imported
 */
export function editorsAfter(
  before: {readonly editors?: readonly DraftEditor[] | undefined} | undefined,
  document: Document,
  published: Document | undefined,
  {id, name, email}: DraftEditor,
): readonly DraftEditor[] | undefined {
  if (published !== undefined && contentOf(document) === published._rev) return []
  if (before !== undefined && before.editors === undefined) return undefined
  const others = before?.editors?.filter((one) => one.id !== id) ?? []
  return [...others, {id, name, email}]
}

/** Whether a value from the journal is a list of editors. */
export function areEditors(value: unknown): value is readonly DraftEditor[] {
  return (
    Array.isArray(value) &&
    value.every(
      (one) => isJsonObject(one) && [one.id, one.name, one.email].every((text) => typeof text === 'string'),
    )
  )
}

/** The revision that the draft would have if it was published as it is. */
function contentOf(draft: Document): string {
  return revisionOf({...draft, _id: publishedId(draft._id)})
}
