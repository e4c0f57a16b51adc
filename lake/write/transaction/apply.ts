import {randomUUID} from 'node:crypto'
import {isDeepStrictEqual} from 'node:util'
import {errorMessage} from '../../../common/errorMessage.ts'
import type {JsonObject} from '../../../common/json.ts'
import {MAX_DEPTH, revisionOf, UnfitDocumentError} from '../../../content/canonical.ts'
import {type GivenDates, pastDatesNamedBy} from '../../../content/dates.ts'
import type {Document} from '../../../content/document.ts'
import {isPublishedId, publishedId, versionedId} from '../../../content/ids.ts'
import {idProblem, typeProblem} from '../../../content/names.ts'
import {MAX_DOCUMENT_BYTES} from '../../../content/parseDocument.ts'
import {fileSizeOf, minFileSize} from '../../../content/size.ts'
import type {Principal} from '../../access/principal.ts'
import {RefusedError, refuse} from '../errors.ts'
import {type Patch, patched} from '../patch/patch.ts'
import type {TimeSlices} from '../timeSlices.ts'
import type {Mutation, Selection} from './mutation.ts'
import type {ReviewBranch} from './reviewRules.ts'
import type {Effect, Workspace} from './workspace.ts'

/** Maximum documents that one patch or delete by query may change. */
const MAX_SELECTED = 10_000

/** An attempt to run a transaction: its documents, its id, time and author, and how it finds documents by a query. */
export type Attempt = {
  readonly workspace: Workspace
  readonly transactionId: string
  /** ISO 8601, UTC. */
  readonly now: string
  /** Returns the ids of the documents that a query finds, in the raw perspective. */
  find(query: string, params: JsonObject): Promise<readonly string[]>
  readonly slices: TimeSlices
  readonly by: Principal
  /** Whether nothing is saved: Studio asks so whether a person may schedule, with the time of the question. */
  readonly isDryRun: boolean
  /** The id of the site that a document belongs to. */
  siteOf(document: Document): string | undefined
  /** The branch for the request of a review, if the lake pushes such branches. */
  branchOf(reviewId: string): Promise<ReviewBranch>
}

/**
 * Applies one mutation.
 * @throws RefusedError
 */
export async function applyMutation(mutation: Mutation, attempt: Attempt): Promise<Effect[]> {
  const {slices} = attempt
  const effects: Effect[] = []
  switch (mutation.kind) {
    case 'delete':
      for (const id of await select(mutation.select, attempt)) {
        effects.push(applyDelete(id, attempt))
        await slices.turn()
      }
      return effects
    case 'patch': {
      const ids = await select(mutation.select, attempt)
      const bytes = sizeOfPatch(mutation.patch)
      for (const id of ids) {
        effects.push(await applyPatch(id, mutation, bytes, attempt))
        await slices.turn()
      }
      return effects
    }
    default:
      effects.push(applyCreate(mutation, attempt))
      await slices.turn()
      return effects
  }
}

async function applyPatch(
  id: string,
  {patch, ifRevisionId}: Mutation & {readonly kind: 'patch'},
  patchBytes: number,
  attempt: Attempt,
): Promise<Effect> {
  const {workspace, slices} = attempt
  const before = workspace.get(id)
  if (before === undefined) throw refuse.notFound(id)
  if (ifRevisionId !== undefined && ifRevisionId !== before._rev)
    throw refuse.otherRevision(id, ifRevisionId, before._rev)
  let content: JsonObject
  try {
    content = await patched(before, patch, slices)
  } catch (error) {
    if (error instanceof RefusedError) throw error
    throw refuse.unfit(id, errorMessage(error))
  }
  const {_createdAt: createdAt} = before
  const stamped = stamp(id, {...content, _type: before._type}, {createdAt}, attempt)
  const {bytes} = stamped
  // A draft gets a new revision all the same, as in hosted Sanity: until a listener reports its transaction,
  // Studio shows "Saving…".
  const isSame = isDeepStrictEqual(content, before)
  const document = isSame ? {...stamped.document, _updatedAt: before._updatedAt} : stamped.document
  workspace.put(id, document, {patch: {id, ...patch}}, {document: bytes, mutation: patchBytes})
  return {id, operation: 'update'}
}

/** An estimate of a patch's size in bytes. It stops a little above the maximum size of a document. */
function sizeOfPatch(patch: Patch): number {
  try {
    // Values are nested two levels deep in a patch.
    return minFileSize(patch, MAX_DOCUMENT_BYTES, MAX_DEPTH + 2)
  } catch (error) {
    if (error instanceof UnfitDocumentError)
      throw refuse.malformed(`A value of the patch is ${error.message}`)
    throw error
  }
}

function applyDelete(id: string, {workspace}: Attempt): Effect {
  if (workspace.get(id) === undefined) return {id, operation: 'none'}
  workspace.put(id, undefined, {delete: {id}})
  workspace.bases.delete(id)
  workspace.copies.delete(id)
  return {id, operation: 'delete'}
}

function applyCreate({kind, document}: Mutation & {readonly document: JsonObject}, attempt: Attempt): Effect {
  const {workspace, now} = attempt
  const id = idFor(document._id)
  const before = workspace.get(id)
  if (before !== undefined && kind === 'create') throw refuse.alreadyExists(id)
  if (before !== undefined && kind === 'createIfNotExists') return {id, operation: 'none'}
  checkNames(id, document._type, before ?? workspace.get(publishedId(id)))
  // "It is possible to provide a custom value when the document is initially created."
  // https://www.sanity.io/docs/studio/document-type
  const dates = before === undefined ? pastDatesNamedBy(document, now) : {createdAt: before._createdAt}
  const after = stamp(id, document, dates, attempt)
  if (before !== undefined && hasSameContent(before, after.document)) return {id, operation: 'update'}
  if (versionedId(id) !== undefined && before === undefined && !workspace.bases.has(id)) {
    workspace.bases.set(id, workspace.get(publishedId(id)) ?? null)
  }
  workspace.put(id, after.document, {[kind]: after.document}, {document: after.bytes})
  return {id, operation: before === undefined ? 'create' : 'update'}
}

function hasSameContent(a: Document, b: Document): boolean {
  const {_rev, _createdAt, _updatedAt} = a
  return isDeepStrictEqual(a, {...b, _rev, _createdAt, _updatedAt})
}

/** Generates a missing id. An id that ends with a dot is a prefix, such as `drafts.`. */
function idFor(given: unknown): string {
  const text = typeof given === 'string' ? given : ''
  return text === '' || text.endsWith('.') ? `${text}${randomUUID()}` : text
}

/**
 * Refuses an id or type that cannot be a file name, unless the document exists already. For a draft, this
 * includes the published document.
 */
function checkNames(id: string, type: unknown, known: Document | undefined): void {
  if (known !== undefined && known._type === type) return
  if (typeof type !== 'string') throw refuse.unfit(id, 'A document needs a "_type"')
  const problem = idProblem(publishedId(id)) ?? idProblem(id) ?? typeProblem(type)
  if (problem !== undefined) throw refuse.unfit(id, problem)
}

/**
 * Sets the attributes that the lake controls, and returns the document with its size as a file. Dates that are
 * not given are those of the transaction. The revision
 * of a published document is derived from its content, so that all clones agree on it. For other documents it
 * is the transaction id, as Studio expects of drafts.
 */
function stamp(
  id: string,
  content: JsonObject,
  {createdAt, updatedAt}: GivenDates,
  {transactionId, now}: Attempt,
): {readonly document: Document; readonly bytes: number} {
  const type = content._type
  if (typeof type !== 'string') throw refuse.unfit(id, 'A document needs a "_type"')
  const document = {...content, _id: id, _type: type}
  try {
    const bytes = fileSizeOf(document)
    const revision = isPublishedId(id) ? revisionOf(document) : transactionId
    const dates = {_createdAt: createdAt ?? now, _updatedAt: updatedAt ?? now}
    return {document: {...document, _rev: revision, ...dates}, bytes}
  } catch (error) {
    if (error instanceof UnfitDocumentError) throw refuse.unfit(id, error.message)
    throw error
  }
}

async function select(selection: Selection, {find, slices}: Attempt): Promise<readonly string[]> {
  if ('id' in selection) return [selection.id]
  const ids = await find(selection.query, selection.params)
  slices.resume()
  if (ids.length > MAX_SELECTED)
    throw refuse.malformed(`The query matches more than ${MAX_SELECTED} documents: narrow it`)
  return ids
}
