import {isJsonObject} from './document.ts'

/**
 * What an index is of: an attribute path (its segments joined by a NUL, which no GROQ attribute can hold
 * unescaped), or {@link REFERENCES}.
 */
export type IndexName = string

/** The index of documents by what they refer to, anywhere inside. */
export const REFERENCES: IndexName = '\0references'

/** Attribute paths of more segments are not indexed, and their values make no tags. */
export const MAX_PATH_SEGMENTS = 4

/** Longer values are not indexed, and make no tags. */
export const MAX_KEY_LENGTH = 256

/** The name of the index over an attribute path. */
export function indexName(path: readonly string[]): IndexName {
  return path.join('\0')
}

/**
 * The key of a scalar, undefined for any other value and for what is too long. A number and its digits as a string
 * share a key: an index only has to find all candidates, it need not find no others.
 */
export function keyOf(value: unknown): string | undefined {
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

/** Calls back for each indexable attribute path of a document with its key. */
export function eachAttribute(document: unknown, onKey: (index: IndexName, key: string) => void): void {
  const visit = (value: unknown, prefix: string, segments: number) => {
    if (!isJsonObject(value)) return
    for (const name in value) {
      const path = segments === 0 ? name : `${prefix}\0${name}`
      const key = keyOf(value[name])
      if (key !== undefined) onKey(path, key)
      else if (segments + 1 < MAX_PATH_SEGMENTS) visit(value[name], path, segments + 1)
    }
  }
  visit(document, '', 0)
}

/** Every `_ref` inside a value, as `references()` finds them: it does not look inside of a reference. */
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
