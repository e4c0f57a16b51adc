import type {FindBroken} from '../git/remote/merge.ts'
import {groupByDocument, jsonPath, type Layout} from './layout/layout.ts'
import {assembleDocument, MAX_FILE_BYTES} from './parseDocument.ts'

/** Finds the files of documents that both sides of a merge changed, and that are not valid together. */
export function findBrokenIn(layout: Layout): FindBroken {
  const documentsAt = (paths: readonly string[]) => {
    const files = paths.map((path) => ({path}))
    return [...groupByDocument(layout, files).values()].map(({key}) => key)
  }
  return async ({fromOurs, fromTheirs, read}) => {
    const theirs = new Set(documentsAt(fromTheirs).map(jsonPath))
    const changed = documentsAt(fromOurs).filter((key) => theirs.has(jsonPath(key)))
    const contents = await read(
      changed.flatMap((key) => layout.paths(key)),
      MAX_FILE_BYTES,
    )
    return changed.flatMap((key) => {
      if (!layout.paths(key).some((path) => contents.has(path))) return []
      const parsed = assembleDocument(layout, key, contents)
      return 'problem' in parsed ? [parsed.path] : []
    })
  }
}
