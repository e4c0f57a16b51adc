import {isJsonObject, type JsonObject} from '../common/json.ts'
import {fileTextOf, MAX_DEPTH, UnfitDocumentError} from './canonical.ts'
import {MAX_DOCUMENT_BYTES, MAX_FILE_BYTES} from './parseDocument.ts'

/**
 * The bytes of a document as one file.
 * @throws UnfitDocumentError if these are more than a document may have, or if it cannot be stored
 */
export function fileSizeOf(document: JsonObject): number {
  // Checked before serialization: the text of a huge value would not fit into memory.
  const isLarge = minFileSize(document, MAX_FILE_BYTES) > MAX_FILE_BYTES
  const bytes = isLarge ? Number.POSITIVE_INFINITY : Buffer.byteLength(fileTextOf(document))
  if (bytes > MAX_DOCUMENT_BYTES)
    throw new UnfitDocumentError(
      `A document can have at most ${MAX_DOCUMENT_BYTES} bytes: move a part of it to another document`,
    )
  return bytes
}

/**
 * A lower bound of the bytes that a value takes in a document's file. Counting stops soon after `most`, so
 * that a value's size can be checked before it is copied: values that share parts may expand to more than
 * memory.
 * @throws UnfitDocumentError if the value is nested deeper than a document may be
 */
export function minFileSize(value: unknown, most: number, levels = MAX_DEPTH): number {
  let size = 0
  const visit = (inner: unknown, depth: number): void => {
    if (typeof inner === 'string') size += inner.length + 2
    else if (Array.isArray(inner)) {
      enter(depth)
      for (const item of inner) {
        if (size > most) return
        size += 2 * depth + 1
        visit(item, depth + 1)
      }
    } else if (isJsonObject(inner)) {
      enter(depth)
      for (const name of Object.keys(inner)) {
        if (size > most) return
        size += 2 * depth + name.length + 5
        visit(inner[name], depth + 1)
      }
    } else size += 1
  }
  const enter = (depth: number) => {
    if (depth > levels) throw new UnfitDocumentError(`nested deeper than ${MAX_DEPTH} levels`)
    size += 2
  }
  visit(value, 1)
  return size
}

/** Whether arrays and objects are nested deeper than this many levels. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
  for (const item of inner) if (typeof item === 'object' && isDeeperThan(item, levels - 1)) return true
  return false
}
