import type {SanityClient} from 'sanity'
import {parseDocuments, type StoredDocument} from '../../schemas/diagnosis/documents.ts'
import {isRecord} from '../../schemas/rules/json.ts'
import {textOf} from '../../schemas/rules/text.ts'

/** A commit that changed documents, as the lake lists it. */
export type Change = {
  readonly commit: string
  readonly timestamp: string
  /** The author's name. */
  readonly name: string
  /** The first line of the commit's message. */
  readonly subject: string
  /** The names of those who wrote it, if somebody else published it. Else empty. */
  readonly writers: string
  /** The name of the person who reviewed it. Empty: it was not reviewed. */
  readonly reviewer: string
  /** Why it was published without the review that it needed. Empty: it needed none, or was reviewed. */
  readonly skippedReview: string
  readonly documents: readonly ChangedDocument[]
  /** Whether it changed further documents. */
  readonly hasMore: boolean
}

export type ChangedDocument = {
  readonly id: string
  readonly type: string
  readonly change: 'created' | 'updated' | 'deleted'
  /** The names of the fields that an update changed, if they are known. */
  readonly fields: readonly string[]
}

export type Activity = {
  /** The latest first. */
  readonly changes: readonly Change[]
  /** For older changes; empty at the end. */
  readonly nextCursor: string
  /** The address of the web pages of commits, if there are any. */
  readonly commitPage: string | undefined
}

type ActivityRequest = {
  /** Only this document and those that reference it. */
  references?: string | undefined
  limit: number
  cursor?: string
}

/**
 * Fetches the latest changes from the lake.
 * @returns undefined if the content is not in a lake: hosted Sanity has no such list
 */
export async function fetchActivity(
  client: SanityClient,
  {references, limit, cursor}: ActivityRequest,
  signal: AbortSignal,
): Promise<Activity | undefined> {
  try {
    const body: unknown = await client.request({
      url: `/data/history/${client.config().dataset}/activity`,
      query: {
        limit: String(limit),
        ...(references !== undefined && {references}),
        ...(cursor && {nextCursor: cursor}),
      },
      signal,
      tag: 'handrail.activity',
    })
    return parseActivity(body)
  } catch (error) {
    if (isRecord(error) && error.statusCode === 404) return undefined
    throw error
  }
}

function parseActivity(body: unknown): Activity | undefined {
  if (!isRecord(body) || !Array.isArray(body.changes)) return undefined
  return {
    changes: body.changes.flatMap((change) => parseChange(change) ?? []),
    nextCursor: textOf(body.nextCursor),
    commitPage: typeof body.commitPage === 'string' ? body.commitPage : undefined,
  }
}

function parseChange(value: unknown): Change | undefined {
  if (!isRecord(value) || !Array.isArray(value.documents)) return undefined
  return {
    commit: textOf(value.commit),
    timestamp: textOf(value.timestamp),
    name: textOf(value.name),
    subject: textOf(value.subject),
    writers: textOf(value.writers),
    reviewer: textOf(value.reviewer),
    skippedReview: textOf(value.skippedReview),
    documents: value.documents.flatMap((one) => parseChangedDocument(one) ?? []),
    hasMore: value.hasMore === true,
  }
}

function parseChangedDocument(value: unknown): ChangedDocument | undefined {
  if (!isRecord(value)) return undefined
  const change = CHANGES.find((known) => known === value.change)
  const fields = Array.isArray(value.fields) ? value.fields.map(textOf) : []
  return change && {id: textOf(value.id), type: textOf(value.type), change, fields}
}

const CHANGES = ['created', 'updated', 'deleted'] as const

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
  const found: unknown = await client.fetch(
    '*[_id in $ids]._id',
    {ids: ids.flatMap((id) => [id, `drafts.${id}`])},
    {perspective: 'raw', tag: 'handrail.activity', signal},
  )
  const existing = new Set(Array.isArray(found) ? found.map((id) => String(id).replace(/^drafts\./, '')) : [])
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
  await client.createIfNotExists(
    {...content, _id: `drafts.${document._id.replace(/^drafts\./, '')}`},
    {tag: 'handrail.restore'},
  )
}
