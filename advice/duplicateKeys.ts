import {visit} from 'jsonc-parser'

/** A key that occurs more than once in one object, where it occurs again. Lines are counted from 1. */
type Duplicate = {readonly key: string; readonly offset: number; readonly line: number}

/** Finds the keys that JSON.parse replaces silently. Merging two branches can add a key twice. */
export function duplicateKeys(json: string): Duplicate[] {
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
