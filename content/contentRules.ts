import type {ContentRules} from '../git/contentRules.ts'
import {groupByDocument, jsonPath, type Layout, mayBeContent} from './layout/layout.ts'
import {assembleDocument, MAX_FILE_BYTES} from './parseDocument.ts'

/** The rules for a repository of documents. */
export function documentRules(layout: Layout): ContentRules {
  const documentsAt = (paths: readonly string[]) => [
    ...groupByDocument(
      layout,
      paths.map((path) => ({path})),
    ).values(),
  ]
  return {
    isContentPath: mayBeContent,

    async brokenFiles({fromOurs, fromTheirs, read}) {
      const theirs = new Set(documentsAt(fromTheirs).map(({key}) => jsonPath(key)))
      const changed = documentsAt(fromOurs).filter(({key}) => theirs.has(jsonPath(key)))
      const contents = await read(
        changed.flatMap(({key}) => layout.paths(key)),
        MAX_FILE_BYTES,
      )
      return changed.flatMap(({key}) => {
        if (!layout.paths(key).some((path) => contents.has(path))) return []
        const parsed = assembleDocument(layout, key, contents)
        return 'problem' in parsed ? [parsed.path] : []
      })
    },
  }
}
