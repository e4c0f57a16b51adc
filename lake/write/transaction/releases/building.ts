import {isDeepStrictEqual} from 'node:util'
import type {JsonObject} from '../../../../common/json.ts'
import {revisionOf} from '../../../../content/canonical.ts'
import type {Document} from '../../../../content/document.ts'
import {draftId, publishedId, releaseId, releaseNameIn} from '../../../../content/ids.ts'
import {unpublishes} from '../../../../content/store.ts'
import {outdatedBase, publishedAs} from '../publishing.ts'
import type {ReviewRules} from '../reviewRules.ts'
import type {Workspace} from '../workspace.ts'
import {documentsFrom, type Release, releaseIn} from './release.ts'

/** What was published of a document before a release, and is now. */
export type Published = {readonly before: Document | undefined; readonly after: Document | undefined}

/** What a version publishes after others changed the document: its own change of it. Undefined if they changed the same members. */
export function ownChangeOf(version: Document, workspace: Workspace): JsonObject | undefined {
  const current = workspace.get(publishedId(version._id))
  const origin = workspace.originOf(version._id)
  if (current === undefined || origin === undefined) return undefined
  return merged(contentOf(origin), contentOf(version), contentOf(current))
}

/**
 * The versions that scheduled releases cannot publish, because others changed the same members of the documents meanwhile, or
 * because what they would publish now was not reviewed.
 */
export function overtakenIn(
  workspace: Workspace,
  {needsReview}: Pick<ReviewRules, 'needsReview'>,
): Document[] {
  const publishedBefore = (id: string) => workspace.get(id)
  return documentsFrom('versions.', workspace).filter((version) => {
    if (releaseOf(version, workspace)?.state !== 'scheduled' || unpublishes(version)) return false
    if (outdatedBase(version, workspace) === undefined) return false
    const own = ownChangeOf(version, workspace)
    const id = publishedId(version._id)
    const {_type, _rev, _createdAt, _updatedAt} = version
    const after = own && {...own, _id: id, _type, _rev, _createdAt, _updatedAt}
    return after === undefined || needsReview({id, before: workspace.get(id), after}, publishedBefore)
  })
}

/** The release that a version is in. */
export function releaseOf({_id}: Document, workspace: Workspace): Release | undefined {
  return releaseIn(workspace.get(releaseId(releaseNameIn(_id) ?? '')))
}

/**
 * What a release publishes is what others build on: drafts and versions that it was copied from, or that are copies of it, and the
 * versions of other releases with a time. Those come later, so that they replace what this one changed, and nothing else.
 */
export function buildOn(published: ReadonlyMap<string, Published>, workspace: Workspace): void {
  const versions = Map.groupBy(documentsFrom('versions.', workspace), ({_id}) => publishedId(_id))
  for (const [id, {before, after}] of published) {
    if (before?._rev === after?._rev) continue
    const draft = workspace.get(draftId(id))
    for (const other of [...(draft === undefined ? [] : [draft]), ...(versions.get(id) ?? [])]) {
      const {_id} = other
      const isCopy = after !== undefined && workspace.copiesOf(_id).includes(after._rev)
      if (!isCopy && releaseOf(other, workspace)?.state !== 'scheduled') continue
      const base = workspace.baseOf(_id)
      if (isCopy || base === (before?._rev ?? null)) workspace.bases.set(_id, after ?? null)
      else {
        const origin = workspace.originOf(_id)
        if (origin !== undefined && before !== undefined && after !== undefined)
          workspace.bases.set(_id, changed(origin, before, after))
      }
    }
  }
}

/** A version of a document that a release publishes. */
export function versionOf(id: string, workspace: Workspace): Document | undefined {
  return documentsFrom('versions.', workspace).find(
    (version) => publishedId(version._id) === id && !unpublishes(version),
  )
}

/** A document with what a release changed in another state of it. */
function changed(origin: Document, before: Document, after: Document): Document {
  const content = Object.fromEntries(
    membersOf(origin, before, after).map((name) => [
      name,
      isDeepStrictEqual(before[name], after[name]) ? origin[name] : after[name],
    ]),
  )
  const document = {...content, _id: after._id, _type: after._type}
  return {...after, ...document, _rev: revisionOf(document)}
}

/** A document without what the lake sets. */
function contentOf(document: Document): JsonObject {
  const {_rev, ...content}: JsonObject = publishedAs(document)
  return content
}

function merged(origin: JsonObject, own: JsonObject, others: JsonObject): JsonObject | undefined {
  const content: Record<string, unknown> = {}
  for (const name of membersOf(origin, own, others)) {
    const isOwn = !isDeepStrictEqual(own[name], origin[name])
    const isOthers = !isDeepStrictEqual(others[name], origin[name])
    if (isOwn && isOthers && !isDeepStrictEqual(own[name], others[name])) return undefined
    const value = isOwn ? own[name] : others[name]
    if (value !== undefined) content[name] = value
  }
  return content
}

function membersOf(...documents: readonly JsonObject[]): string[] {
  return [...new Set(documents.flatMap(Object.keys))]
}
