import {visit} from 'jsonc-parser'

/** A key that occurs more than once in one object, where it occurs again. Lines are counted from 1. */
type Duplicate = {readonly key: string; readonly offset: number; readonly line: number}

/**
 * Finds the keys that JSON.parse replaces silently. Merging two branches can add a key twice.
 * @param value what JSON.parse made of the text
 */
export function duplicateKeys(json: string, value: unknown): Duplicate[] {
  // A value has each key once, so its text is another one. Most texts are written in one of these two ways.
  const text = json.trimEnd()
  if ([2, 0].some((indentation) => JSON.stringify(value, null, indentation) === text)) return []
  const found: Duplicate[] = []
  const open: Set<string>[] = []
  visit(json, {
    onObjectBegin: () => {
      open.push(new Set())
    },
    onObjectEnd: () => {
      open.pop()
    },
    onObjectProperty: (key, offset, _length, line) => {
      const keys = open.at(-1)
      if (keys?.has(key)) found.push({key, offset, line: line + 1})
      keys?.add(key)
    },
  })
  return found
}
