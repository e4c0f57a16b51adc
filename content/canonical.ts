import {hash} from 'node:crypto'
import {isJsonObject, type JsonObject} from '../common/json.ts'
import {SYSTEM_ATTRIBUTES} from './document.ts'

/** Maximum nesting depth. It protects the recursive functions that read documents. */
export const MAX_DEPTH = 64

/**
 * These keys would affect the query evaluator: groq-js calls `value.hasOwnProperty` on document content, and
 * copies attributes by assignment, where `__proto__` would set the prototype.
 */
const REFUSED_KEYS: ReadonlySet<string> = new Set(['hasOwnProperty', '__proto__'])

/** A document that cannot be stored. The message tells a person why. */
export class UnfitDocumentError extends Error {}

/**
 * A copy with the keys of every object sorted by code unit, and without the attributes that the lake sets.
 * Equal documents then have equal text, no matter which program wrote them.
 * @throws UnfitDocumentError
 */
export function canonical(document: JsonObject): JsonObject {
  return sortedObject(document, 1, SYSTEM_ATTRIBUTES)
}

function sortedObject(value: JsonObject, depth: number, without?: ReadonlySet<string>): JsonObject {
  if (depth > MAX_DEPTH) throw new UnfitDocumentError(`nested deeper than ${MAX_DEPTH} levels`)
  const sorted: Record<string, unknown> = {}
  for (const key of Object.keys(value).sort()) {
    if (REFUSED_KEYS.has(key)) throw new UnfitDocumentError(`no attribute may be named "${key}"`)
    if (without === undefined || !without.has(key)) sorted[key] = sortKeys(value[key], depth + 1)
  }
  return sorted
}

function sortKeys(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) {
    if (depth > MAX_DEPTH) throw new UnfitDocumentError(`nested deeper than ${MAX_DEPTH} levels`)
    return value.map((item) => sortKeys(item, depth + 1))
  }
  return isJsonObject(value) ? sortedObject(value, depth) : value
}

/**
 * A document's `_rev`: 22 URL-safe characters that depend only on its content, so that two clones of one
 * commit agree on every revision.
 * @throws UnfitDocumentError
 */
export function revisionOf(document: JsonObject): string {
  return revisionOfCanonical(canonical(document))
}

/** The revision of a document that {@link canonical} returned. */
export function revisionOfCanonical(document: JsonObject): string {
  return hash('sha256', JSON.stringify(document), 'base64url').slice(0, 22)
}

/**
 * The text of a document's file: sorted keys, two spaces, a trailing newline.
 * @param dates attributes that the lake sets, if the file has to contain them
 * @throws UnfitDocumentError
 */
export function fileTextOf(document: JsonObject, dates: JsonObject = {}): string {
  const content = Object.entries({...dates, ...canonical(document)})
  const sorted = content.sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`
}
