import {randomUUID} from 'node:crypto'
import {editorsAfter} from '../../../content/drafts/draftEditors.ts'
import type {Draft, Entry} from '../../../content/drafts/journal.ts'
import {isPublishedId, isReviewId, isSystemId, isVersionId, publishedId} from '../../../content/ids.ts'
import type {Principal} from '../../access/principal.ts'
import {publishesSame} from './publishing.ts'
import type {Workspace} from './workspace.ts'

type EntryOptions = {
  readonly by: Principal
  /** ISO 8601. */
  readonly timestamp: string
  /** Identifies the request. */
  readonly request: string
}

/** What the journal keeps of a transaction: its drafts, and whether a commit has to follow. */
export function entryOf(id: string, workspace: Workspace, {by, ...options}: EntryOptions): Entry {
  const changed = [...workspace.changed().keys()]
  // An unchanged draft may have a new base, because the document was published or unpublished, and copies.
  const touched = new Set([...changed, ...workspace.bases.keys(), ...workspace.copies.keys()])
  const drafts = [...touched].filter((one) => !isPublishedId(one))
  return {
    id,
    attempt: randomUUID(),
    author: by.id,
    ...options,
    drafts: new Map(drafts.map((one) => [one, draftOf(one, workspace, by)])),
    commits: changed.some(isPublishedId),
  }
}

/** What is kept of a draft or a version as a transaction leaves it, with those who wrote it. */
export function draftOf(id: string, workspace: Workspace, by: Principal): Draft | undefined {
  const document = workspace.get(id)
  if (document === undefined) return undefined
  const restored = workspace.restored.get(id)
  if (restored !== undefined) {
    if (publishesSame(restored.document, document)) return {...restored, document}
    // The same transaction has changed it, too.
    const editors = editorsAfter(restored, document, workspace.before(publishedId(id)), by)
    return {...restored, document, editors}
  }
  const before = workspace.kept(id)
  const base = workspace.baseOf(id)
  if (isSystemId(id)) return {document, base: undefined}
  const copies = workspace.copiesOf(id)
  const origin = isVersionId(id) ? workspace.originOf(id) : undefined
  const began = {document, base, ...(origin && {origin}), ...(copies.length > 0 && {copies})}
  if (isReviewId(id) || document === before?.document) return {...before, ...began}
  return {...began, editors: editorsAfter(before, document, workspace.before(publishedId(id)), by)}
}
