import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {revisionOf} from '../../../content/canonical.ts'
import type {Document} from '../../../content/document.ts'
import {publishedId} from '../../../content/ids.ts'
import {unpublishes} from '../../../content/store.ts'
import {refuse} from '../errors.ts'
import type {Mutation} from './mutation.ts'
import type {Workspace} from './workspace.ts'

/** Says what is wrong with a document, by rules that a lake, which knows no types of documents, is given. */
export type DocumentRule = (document: Document) => string | undefined

/** The mutations that publish a draft or a version. Its date of publication is that of the commit. */
export function publishing(draft: Document, document: JsonObject = publishedAs(draft)): Mutation[] {
  return [
    {kind: 'createOrReplace', document},
    {kind: 'delete', select: {id: draft._id}},
  ]
}

/**
 * The revision of the published document that a draft or a version began from, if the published document is no longer that
 * one: another person changed it in the meantime (in a commit that was pulled), and publishing would silently undo that change.
 * Null: there was none. Undefined: it may be published, also because that would change nothing.
 */
export function outdatedBase(draft: Document, workspace: Workspace): string | null | undefined {
  const current = workspace.get(publishedId(draft._id))
  const base = workspace.baseOf(draft._id)
  if (base === (current?._rev ?? null)) return undefined
  return (current?._rev ?? null) === publishedRevision(draft) ? undefined : base
}

/**
 * Checks that a document or a release has the content that a reviewer saw.
 * @throws RefusedError 409
 */
export function checkSeen(id: string, seen: string | undefined, content: string | null): void {
  if (seen !== undefined && seen !== content)
    throw refuse.reviewOutdated(id, 'It changed since you looked at its review: look at it again')
}

/** Whether publishing either of two drafts or versions of a document would lead to the same. */
export function publishesSame(one: Document, other: Document): boolean {
  return publishedRevision(one) === publishedRevision(other)
}

/**
 * The published revision that publishing a draft or a version leads to, a digest of its content; null: none. Unlike `_rev`, which
 * is the ID of a transaction, no client can choose it.
 */
export function publishedRevision(draft: Document): string | null {
  return unpublishes(draft) ? null : revisionOf(publishedAs(draft))
}

/** The document that publishing a draft or a version makes, without its dates. */
export function publishedAs(draft: Document) {
  const {_system, _createdAt, _updatedAt, ...content} = strengthened(draft)
  return {...content, _id: publishedId(draft._id), _type: draft._type}
}

/** In a draft, references to unpublished documents are weak. They become strong when it is published. */
function strengthened(value: JsonObject): JsonObject {
  const {_strengthenOnPublish: mark, ...members} = value
  const entries = Object.entries(members).flatMap(([name, member]): [string, unknown][] => {
    if (mark !== undefined && name === '_weak' && !(isJsonObject(mark) && mark.weak === true)) return []
    return [[name, strengthenedMember(member)]]
  })
  return Object.fromEntries(entries)
}

function strengthenedMember(member: unknown): unknown {
  if (Array.isArray(member)) return member.map(strengthenedMember)
  return isJsonObject(member) ? strengthened(member) : member
}
