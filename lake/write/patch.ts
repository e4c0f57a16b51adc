import {Mutation} from '@sanity/mutator'
import {type Document, isJsonObject, type JsonObject} from '../documents/document.ts'

/** The operations of a patch, as Sanity's own library takes them. */
export type Patch = {
  set?: {[path: string]: unknown}
  setIfMissing?: {[path: string]: unknown}
  merge?: {[path: string]: unknown}
  unset?: string[]
  inc?: {[path: string]: number}
  dec?: {[path: string]: number}
  diffMatchPatch?: {[path: string]: string}
  insert?: Insert
}

type Insert =
  | {before: string; items: unknown[]}
  | {after: string; items: unknown[]}
  | {replace: string; items: unknown[]}

const operations: Record<keyof Patch, (value: unknown) => boolean> = {
  set: isJsonObject,
  setIfMissing: isJsonObject,
  merge: isJsonObject,
  unset: (value) => Array.isArray(value) && value.every((path) => typeof path === 'string'),
  inc: (value) => isMapOf(value, 'number'),
  dec: (value) => isMapOf(value, 'number'),
  diffMatchPatch: (value) => isMapOf(value, 'string'),
  insert: isInsert,
}

/** Whether a value is a patch whose every operation is well-formed. Its paths are read when it is applied. */
export function isPatch(value: unknown): value is Patch {
  if (!isJsonObject(value)) return false
  const known = new Map<string, (value: unknown) => boolean>(Object.entries(operations))
  return Object.entries(value).every(([name, operation]) => known.get(name)?.(operation) ?? false)
}

/**
 * A document's content after a patch, by the library with which Studio computes the same in the browser.
 * @throws Error for a path that cannot be read, or an operation that does not fit what is there
 */
export function patched(document: Document, patch: Patch): JsonObject {
  const mutation = new Mutation({mutations: [{patch: {id: document._id, ...patch}}]})
  // The library may write into what it is given.
  return mutation.apply(structuredClone(document)) ?? {}
}

function isMapOf(value: unknown, type: 'number' | 'string'): boolean {
  return isJsonObject(value) && Object.values(value).every((item) => typeof item === type)
}

function isInsert(value: unknown): boolean {
  if (!isJsonObject(value) || !Array.isArray(value.items)) return false
  const places = ['before', 'after', 'replace'].filter((place) => value[place] !== undefined)
  return places.length === 1 && places.every((place) => typeof value[place] === 'string')
}
