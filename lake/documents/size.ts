import {isJsonObject} from '../../common/json.ts'
import {MAX_DEPTH, UnfitDocumentError} from './canonical.ts'

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
