import {randomUUID} from 'node:crypto'
import {editorsAfter} from '../../../content/drafts/draftEditors.ts'
import type {Draft, Entry} from '../../../content/drafts/journal.ts'
import {isPublishedId, isReviewId, isSystemId, publishedId} from '../../../content/ids.ts'
import type {DocumentStore} from '../../../content/store.ts'
import type {Principal} from '../../access/principal.ts'
import type {Workspace} from './workspace.ts'

type EntryOptions = {
  readonly by: Principal
  /** ISO 8601. */
  readonly timestamp: string
  /** Identifies the request. */
  readonly request: string
  readonly store: DocumentStore
  /** The drafts before the transaction. */
  readonly drafts: ReadonlyMap<string, Draft>
}

/** What the journal keeps of a transaction: its drafts, and whether a commit has to follow. */
export function entryOf(id: string, workspace: Workspace, options: EntryOptions): Entry {
  const changed = [...workspace.changed().keys()]
  // An unchanged draft may have a new base: the published document that it began from was unpublished.
  const drafts = [...new Set([...changed, ...workspace.bases.keys()])].filter((one) => !isPublishedId(one))
  return {
    id,
    attempt: randomUUID(),
    author: options.by.id,
    timestamp: options.timestamp,
    request: options.request,
    drafts: new Map(drafts.map((one) => [one, draftOf(one, workspace, options)])),
    commits: changed.some(isPublishedId),
  }
}

function draftOf(id: string, workspace: Workspace, {by, store, drafts}: EntryOptions): Draft | undefined {
  const document = workspace.get(id)
  if (document === undefined) return undefined
  const restored = workspace.restored.get(id)
  if (restored !== undefined) return {...restored, document}
  const before = drafts.get(id) ?? workspace.copied.get(id)
  const base = workspace.bases.has(id) ? workspace.bases.get(id) : before?.base
  if (isSystemId(id)) return {document, base: undefined}
  if (isReviewId(id) || document === before?.document) return {...before, document, base}
  return {document, base, editors: editorsAfter(before, document, store.get(publishedId(id)), by)}
}
