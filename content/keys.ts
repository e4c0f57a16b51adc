import {isJsonObject} from '../common/json.ts'

/**
 * The name of an index: an attribute path (its segments joined by a NUL, which no GROQ attribute can contain
 * unescaped), {@link REFERENCES}, or {@link VERSIONS}.
 */
export type IndexName = string

/** The index of documents by the ids that they reference, at any depth. */
export const REFERENCES: IndexName = '\0references'

/** The index of drafts and versions by the ids of the documents that they belong to. */
export const VERSIONS: IndexName = '\0versions'

/** Attribute paths with more segments are not indexed. */
export const MAX_PATH_SEGMENTS = 4

/** Longer values are not indexed. */
export const MAX_KEY_LENGTH = 256

/** The name of the index over an attribute path. */
export function indexName(path: readonly string[]): IndexName {
  return path.join('\0')
}

/**
 * The key of a scalar; undefined for any other value or if it is too long. A number and its digits as a
 * string share a key: an index must find all candidates, but may find more.
 */
function keyOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.length <= MAX_KEY_LENGTH ? value : undefined
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

/** The key of an attribute path's value in a document. */
export function keyAt(document: unknown, path: readonly string[]): string | undefined {
  let value = document
  for (const segment of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, segment)) return undefined
    value = value[segment]
  }
  return keyOf(value)
}

/** Collects every `_ref` inside a value as `references()` does, which does not look inside a reference. */
export function collectReferences(value: unknown, into: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) {
    for (const item of value) collectReferences(item, into)
  } else if (isJsonObject(value)) {
    if (value._ref) {
      if (typeof value._ref === 'string' && value._ref.length <= MAX_KEY_LENGTH) into.add(value._ref)
    } else {
      for (const name in value) collectReferences(value[name], into)
    }
  }
  return into
}

/** The ids of a value's strong references: every `_ref` that is not `_weak`. */
export function strongReferences(value: unknown): Set<string> {
  const strong = new Set<string>()
  const visit = (inner: unknown): void => {
    if (Array.isArray(inner)) {
      for (const item of inner) visit(item)
    } else if (typeof inner === 'object' && inner !== null) {
      if ('_ref' in inner && '_weak' in inner && inner._weak === true) return
      if ('_ref' in inner) for (const id of collectReferences(inner)) strong.add(id)
      else for (const item of Object.values(inner)) visit(item)
    }
  }
  visit(value)
  return strong
}
