import {randomUUID} from 'node:crypto'
import {fileTextOf, revisionOf, UnfitDocumentError} from '../documents/canonical.ts'
import {type Document, isJsonObject, type JsonObject} from '../documents/document.ts'
import {isDraftId, isPublishedId, isValidId, publishedId} from '../documents/ids.ts'
import {refuse} from './errors.ts'
import type {Mutation, Selection} from './mutation.ts'
import {patched} from './patch.ts'
import type {Effect, Workspace} from './workspace.ts'

/** Bytes of one document as a file: what the read side takes. */
const maxDocumentBytes = 1024 * 1024

/** Documents that one patch or delete by query may change. */
const maxSelected = 10_000

/** When and under which name a transaction happens, and how it finds documents by a query. */
export type Circumstances = {
  readonly transactionId: string
  /** ISO 8601, UTC. */
  readonly now: string
  /** Ids of the documents that a query finds, in the raw perspective. */
  find(query: string, params: JsonObject): Promise<readonly string[]>
}

/**
 * Applies one mutation.
 * @throws RefusedError
 */
export async function applyMutation(
  mutation: Mutation,
  workspace: Workspace,
  circumstances: Circumstances,
): Promise<Effect[]> {
  if (mutation.kind === 'delete') {
    const ids = await select(mutation.select, circumstances)
    return ids.map((id) => applyDelete(id, workspace))
  }
  if (mutation.kind === 'patch') {
    const {patch, ifRevisionId} = mutation
    const ids = await select(mutation.select, circumstances)
    return ids.map((id) => {
      const before = workspace.get(id)
      if (before === undefined) throw refuse.notFound(id)
      if (ifRevisionId !== undefined && ifRevisionId !== before._rev)
        throw refuse.otherRevision(id, ifRevisionId, before._rev)
      let content: JsonObject
      try {
        content = patched(before, patch)
      } catch (error) {
        throw refuse.unfit(id, error instanceof Error ? error.message : String(error))
      }
      const after = stamp(id, {...content, _type: before._type}, before._createdAt, circumstances)
      workspace.put(id, after, {patch: {id, ...patch}})
      return {id, operation: 'update'}
    })
  }
  return [applyCreate(mutation, workspace, circumstances)]
}

function applyDelete(id: string, workspace: Workspace): Effect {
  if (workspace.get(id) === undefined) return {id, operation: 'none'}
  workspace.put(id, undefined, {delete: {id}})
  workspace.bases.delete(id)
  return {id, operation: 'delete'}
}

function applyCreate(
  {kind, document}: Mutation & {document: JsonObject},
  workspace: Workspace,
  circumstances: Circumstances,
): Effect {
  const id = idFor(document._id)
  const before = workspace.get(id)
  if (before !== undefined && kind === 'create') throw refuse.alreadyExists(id)
  if (before !== undefined && kind === 'createIfNotExists') return {id, operation: 'none'}
  const given = typeof document._createdAt === 'string' ? document._createdAt : circumstances.now
  const after = stamp(id, document, before?._createdAt ?? given, circumstances)
  if (isDraftId(id) && before === undefined) {
    workspace.bases.set(id, workspace.get(publishedId(id))?._rev ?? null)
  }
  workspace.put(id, after, {[kind]: after})
  return {id, operation: before === undefined ? 'create' : 'update'}
}

/** A missing id is made up; one that ends with a dot is a prefix, such as `drafts.`. */
function idFor(given: unknown): string {
  const text = typeof given === 'string' ? given : ''
  const id = text === '' || text.endsWith('.') ? `${text}${randomUUID()}` : text
  if (!isValidId(id)) throw refuse.malformed(`"${id}" is not a document id`)
  return id
}

/**
 * A document with the attributes that the lake sets. A published document's revision is that of its content, so that
 * every clone agrees on it; of anything else it is the transaction, as Studio expects of drafts.
 */
function stamp(id: string, content: JsonObject, createdAt: string, circumstances: Circumstances): Document {
  const {transactionId, now} = circumstances
  const type = content._type
  if (typeof type !== 'string' || !/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(type))
    throw refuse.unfit(id, `"${String(type)}" is not a document type`)
  // Undefined members, as no JSON has them, would make a document differ from its own file.
  const plain: unknown = JSON.parse(JSON.stringify(content))
  if (!isJsonObject(plain)) throw refuse.unfit(id, 'A document must be a JSON object')
  const document = {...plain, _id: id, _type: type}
  try {
    if (Buffer.byteLength(fileTextOf(document)) > maxDocumentBytes)
      throw refuse.unfit(id, `A document may be ${maxDocumentBytes} bytes long`)
    const revision = isPublishedId(id) ? revisionOf(document) : transactionId
    return {...document, _rev: revision, _createdAt: createdAt, _updatedAt: now}
  } catch (error) {
    if (error instanceof UnfitDocumentError) throw refuse.unfit(id, error.message)
    throw error
  }
}

async function select(selection: Selection, {find}: Circumstances): Promise<readonly string[]> {
  if ('id' in selection) return [selection.id]
  const ids = await find(selection.query, selection.params)
  if (ids.length > maxSelected)
    throw refuse.malformed(`The query finds more than ${maxSelected} documents: narrow it`)
  return ids
}
