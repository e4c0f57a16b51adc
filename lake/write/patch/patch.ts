import {parsePatch} from '@sanity/diff-match-patch'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {mergePatches} from '../../../common/text/mergePatches.ts'
import type {Document} from '../../../content/document.ts'
import type {TimeSlices} from '../timeSlices.ts'
import {parsePatchPath} from './path.ts'
import {type Operation, replaceItems, replaceMembers, TooMuchWorkError, updateAt, Work} from './place.ts'

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

// The operations of a patch, with the same results as `@sanity/mutator` in Studio.
// https://www.sanity.io/docs/http-reference/patches

function set(value: unknown): Operation {
  return {
    ...replace(() => value, true),
    onItems(items, {indexes}, work) {
      work.spend(items.length + indexes.length)
      const copy = [...items]
      // The index after the last item appends; higher ones would leave holes.
      for (const index of indexes) if (index <= copy.length) copy[index] = value
      return copy
    },
  }
}

function setIfMissing(value: unknown): Operation {
  return replace((known) => (known === undefined ? value : known), true)
}

const unset: Operation = {
  creates: false,
  onItems: (items, {indexes}, work) => withoutItems(items, indexes, work),
  onMembers(object, names, work) {
    const gone = new Set(names)
    const entries = Object.entries(object)
    work.spend(entries.length)
    return Object.fromEntries(entries.filter(([name]) => !gone.has(name)))
  },
}

/** Adds to numbers. Other values stay unchanged. */
function inc(delta: number): Operation {
  return replace((value) => {
    if (typeof value !== 'number') return value
    const sum = value + delta
    // JSON has no infinity: it would be stored as null.
    if (!Number.isFinite(sum)) throw new Error(`${value} plus ${delta} is too large for a number`)
    return sum
  })
}

/**
 * Patches strings. Other values stay unchanged. A missing text is an error, because the edit would be lost.
 */
function diffMatchPatch(patch: string): Operation {
  return replace((value, work) => {
    if (value === undefined) throw new Error('There is no text that diffMatchPatch could change')
    return typeof value === 'string' ? applyTextPatch(value, patch, work) : value
  })
}

function insert(position: 'before' | 'after' | 'replace', added: readonly unknown[]): Operation {
  return {
    creates: false,
    onItems(items, {indexes, start, end}, work) {
      work.spend(items.length + added.length)
      const kept = position === 'replace' ? withoutItems(items, indexes, work) : items
      const at = position === 'after' ? end : start
      return [...kept.slice(0, at), ...added, ...kept.slice(at)]
    },
    onMembers: (object) => object,
  }
}

/** @param change returns the new value; of a missing one, undefined */
function replace(change: (value: unknown, work: Work) => unknown, creates = false): Operation {
  return {
    creates,
    onItems: (items, {indexes}, work) => replaceItems(items, indexes, work, (item) => change(item, work)),
    onMembers: (object, names, work) => replaceMembers(object, names, work, (member) => change(member, work)),
  }
}

function withoutItems(items: readonly unknown[], indexes: readonly number[], work: Work): readonly unknown[] {
  const gone = new Set(indexes)
  work.spend(items.length)
  return items.filter((_, index) => !gone.has(index))
}

/** Units of {@link Work}, as measured. */
const UNITS_PER_HUNK = 200

/**
 * Applies a patch in the format of `diffMatchPatch`. Studio sends one for each change of a string, based on
 * the text that it last received. If the text is still the same, the patch fits exactly, and its size does
 * not matter. If somebody else has changed the text, similar places are searched, which is slow for large
 * patches.
 * @throws TooMuchWorkError if the search would take too long
 * @throws Error for an invalid patch
 */
export function applyTextPatch(text: string, patch: string, work: Work): string {
  const hunks = patch.split('\n@@').length
  work.spend(hunks * UNITS_PER_HUNK + patch.length / 16)
  const patches = parsePatch(patch)
  work.spend(text.length / 4 + (hunks * text.length) / 80)
  return mergePatches(patches, text, (units) => {
    try {
      work.spend(units)
    } catch (error) {
      if (!(error instanceof TooMuchWorkError)) throw error
      throw new TooMuchWorkError(
        'the text has changed, and this diffMatchPatch is too large to merge: use "set" with the whole text',
      )
    }
  })
}
