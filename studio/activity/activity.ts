import type {SanityClient} from 'sanity'
import {publishedIdOf} from '../../schemas/documentId.ts'
import {parseDocuments, type StoredDocument} from '../../schemas/documents.ts'
import {isRecord} from '../../schemas/record.ts'

/** A commit that changed documents, as the lake lists it. */
export type Change = {
  readonly commit: string
  readonly timestamp: string
  /** The author's name. */
  readonly name: string
  /** The first line of the commit's message. */
  readonly subject: string
  /** The names of those who wrote it, if somebody else published it. */
  readonly writers?: string
  /** The name of the person who reviewed it. */
  readonly reviewer?: string
  /** Why it was published without the review that it needed. */
  readonly skippedReview?: string
  readonly documents: readonly ChangedDocument[]
  /** Whether it changed further documents. */
  readonly hasMore: boolean
}

export type ChangedDocument = {
  readonly id: string
  readonly type: string
  readonly change: 'created' | 'updated' | 'deleted'
  /** The names of the fields that an update changed, if they are known. */
  readonly fields?: readonly string[]
}

export type Activity = {
  /** The latest first. */
  readonly changes: readonly Change[]
  /** For older changes; empty at the end. */
  readonly nextCursor: string
  /** The address of the web pages of commits, if there are any. */
  readonly commitPage?: string
}

type ActivityRequest = {
  /** Only this document and those that reference it. */
  references?: string | undefined
  limit: number
  cursor?: string
}

/** Fetches the latest changes from the lake. */
export function fetchActivity(
  client: SanityClient,
  {references, limit, cursor}: ActivityRequest,
  signal: AbortSignal,
): Promise<Activity> {
  return client.request<Activity>({
    url: `/data/history/${client.config().dataset}/activity`,
    query: {
      limit: String(limit),
      ...(references !== undefined && {references}),
      ...(cursor && {nextCursor: cursor}),
    },
    signal,
    tag: 'handrail.activity',
  })
}

/** The documents of changes that exist, with their names. */
export async function fetchNamed(
  client: SanityClient,
  changes: readonly Change[],
  signal: AbortSignal,
): Promise<StoredDocument[]> {
  const ids = changes.flatMap(({documents}) => documents.flatMap(({id}) => [id, `drafts.${id}`]))
  const options = {perspective: 'raw', tag: 'handrail.activity', signal} as const
  return parseDocuments(await client.fetch('*[_id in $ids]{_id, _type, _rev, name}', {ids}, options))
}

/** Maximum deleted documents to offer for restoring. */
const MAX_DELETED = 50

/** The last state of documents that were deleted by one of the changes and do not exist any more. */
export async function fetchDeleted(
  client: SanityClient,
  changes: readonly Change[],
  signal: AbortSignal,
): Promise<StoredDocument[]> {
  const deleted = changes.flatMap(({documents}) => documents.filter(({change}) => change === 'deleted'))
  const ids = [...new Set(deleted.map(({id}) => id))].slice(0, MAX_DELETED)
  if (ids.length === 0) return []
  const found = await client.fetch<string[]>(
    '*[_id in $ids]._id',
    {ids: ids.flatMap((id) => [id, `drafts.${id}`])},
    {perspective: 'raw', tag: 'handrail.activity', signal},
  )
  const existing = new Set(found.map(publishedIdOf))
  const missing = ids.filter((id) => !existing.has(id))
  if (missing.length === 0) return []
  const body: unknown = await client.request({
    url: `/data/history/${client.config().dataset}/documents/${missing.join(',')}`,
    query: {lastRevision: 'true'},
    signal,
    tag: 'handrail.activity',
  })
  return parseDocuments(isRecord(body) ? body.documents : undefined)
}

/** Creates a draft with the content of a deleted document. */
export async function restore(client: SanityClient, document: StoredDocument): Promise<void> {
  const {_rev, _createdAt, _updatedAt, ...content} = document
  await client.createIfNotExists({...content, _id: `drafts.${document._id}`}, {tag: 'handrail.restore'})
}
