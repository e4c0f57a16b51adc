import type {ContentRules} from '../git/contentRules.ts'
import {groupByDocument, LAYOUT_FILE, mayBeContent} from './layout/layout.ts'
import {assembleDocument, MAX_FILE_BYTES, validLayout} from './parseDocument.ts'

/** The rules for a repository of documents. */
export const DOCUMENT_RULES: ContentRules = {
  isContentPath: mayBeContent,

  async brokenFiles({fromOurs, fromTheirs, read}) {
    const layoutFile = (await read([LAYOUT_FILE], MAX_FILE_BYTES)).get(LAYOUT_FILE)
    const isLayoutChanged = [fromOurs, fromTheirs].map((paths) => paths.includes(LAYOUT_FILE))
    const layout = validLayout(layoutFile)
    if (layout === undefined) return isLayoutChanged.every(Boolean) ? [LAYOUT_FILE] : []
    const documentsAt = (paths: readonly string[]) =>
      groupByDocument(
        layout,
        paths.map((path) => ({path})),
      )
    const [ours, theirs] = [documentsAt(fromOurs), documentsAt(fromTheirs)]
    // Another layout may break what one side alone has changed.
    const changed = isLayoutChanged.some(Boolean)
      ? new Map([...ours, ...theirs])
      : new Map([...ours].filter(([path]) => theirs.has(path)))
    const paths = [...changed.values()].flatMap(({key}) => layout.paths(key))
    const contents = await read(paths, MAX_FILE_BYTES)
    const broken: string[] = []
    for (const {key} of changed.values()) {
      const files = layout.paths(key).filter((path) => contents.has(path))
      if (files.length === 0) continue
      const parsed = assembleDocument(layout, key, contents)
      if ('problem' in parsed) broken.push(parsed.path)
    }
    return broken
  },
}
