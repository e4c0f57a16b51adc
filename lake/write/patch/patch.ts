import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import type {Document} from '../../../content/document.ts'
import type {TimeSlices} from '../timeSlices.ts'
import {diffMatchPatch, inc, insert, set, setIfMissing, unset} from './operations.ts'
import {parsePatchPath} from './path.ts'
import {type Operation, TooMuchWorkError, updateAt, Work} from './place.ts'

/** Maximum paths of one patch. Each costs a copy of the object or list that contains it. */
const MAX_PATHS = 1_000

/** The operations of a patch, as sent by clients. */
export type Patch = {
  readonly set?: {[path: string]: unknown}
  readonly setIfMissing?: {[path: string]: unknown}
  readonly unset?: string[]
  readonly inc?: {[path: string]: number}
  readonly dec?: {[path: string]: number}
  readonly diffMatchPatch?: {[path: string]: string}
  readonly insert?: Insert
}

type Insert =
  | {readonly before: string; readonly items: unknown[]}
  | {readonly after: string; readonly items: unknown[]}
  | {readonly replace: string; readonly items: unknown[]}

const operations: Record<keyof Patch, (value: unknown) => boolean> = {
  set: isJsonObject,
  setIfMissing: isJsonObject,
  unset: (value) => Array.isArray(value) && value.every((path) => typeof path === 'string'),
  inc: (value) => isMapOf(value, 'number'),
  dec: (value) => isMapOf(value, 'number'),
  diffMatchPatch: (value) => isMapOf(value, 'string'),
  insert: isInsert,
}

/** Whether a value is a patch with well-formed operations. Its paths are parsed when it is applied. */
export function isPatch(value: unknown): value is Patch {
  if (!isJsonObject(value)) return false
  const known = new Map<string, (value: unknown) => boolean>(Object.entries(operations))
  return Object.entries(value).every(([name, operation]) => known.get(name)?.(operation) ?? false)
}

/**
 * Applies a patch to a document's content. Yields to other requests between operations.
 * @throws Error for an invalid path, or an operation that does not fit the value
 * @throws RefusedError when the transaction has used up its time
 */
export async function patched(document: Document, patch: Patch, slices: TimeSlices): Promise<JsonObject> {
  let content: JsonObject = document
  let paths = 0
  for (const [path, operation] of operationsOf(patch)) {
    paths += 1
    if (paths > MAX_PATHS)
      throw new Error(`A patch can have at most ${MAX_PATHS} paths: set the value that contains them`)
    const next = apply(content, path, operation)
    if (!isJsonObject(next))
      throw new Error(`"${path}" would replace the document by a value that is not an object`)
    content = next
    await slices.turn()
  }
  return content
}

function apply(content: JsonObject, path: string, operation: Operation): unknown {
  try {
    return updateAt(content, parsePatchPath(path), operation, new Work())
  } catch (error) {
    if (error instanceof TooMuchWorkError) throw new Error(`"${path.slice(0, 100)}": ${error.message}`)
    throw error
  }
}

/** Yields the operations in the order in which Sanity applies them. */
function* operationsOf(patch: Patch): Generator<[path: string, operation: Operation]> {
  for (const [path, value] of Object.entries(patch.setIfMissing ?? {})) yield [path, setIfMissing(value)]
  for (const [path, value] of Object.entries(patch.set ?? {})) yield [path, set(value)]
  for (const path of patch.unset ?? []) yield [path, unset]
  for (const [path, text] of Object.entries(patch.diffMatchPatch ?? {})) yield [path, diffMatchPatch(text)]
  for (const [path, delta] of Object.entries(patch.inc ?? {})) yield [path, inc(delta)]
  for (const [path, delta] of Object.entries(patch.dec ?? {})) yield [path, inc(-delta)]
  if (patch.insert !== undefined) yield insertionOf(patch.insert)
}

function insertionOf(given: Insert): [path: string, operation: Operation] {
  if ('before' in given) return [given.before, insert('before', given.items)]
  if ('after' in given) return [given.after, insert('after', given.items)]
  return [given.replace, insert('replace', given.items)]
}

function isMapOf(value: unknown, type: 'number' | 'string'): boolean {
  return isJsonObject(value) && Object.values(value).every((item) => typeof item === type)
}

function isInsert(value: unknown): boolean {
  if (!isJsonObject(value) || !Array.isArray(value.items)) return false
  const places = ['before', 'after', 'replace'].filter((place) => value[place] !== undefined)
  return places.length === 1 && places.every((place) => typeof value[place] === 'string')
}
