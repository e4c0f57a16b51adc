import {type DocumentKey, jsonPath, type Layout} from '../content/layout/layout.ts'
import type {FileContent} from '../content/parseDocument.ts'
import type {Source} from './source/source.ts'

/** A document, and its files by path. */
export type DocumentFiles = {readonly key: DocumentKey; readonly files: ReadonlyMap<string, FileContent>}

/** The documents of a repository, in the order of their paths. */
export function documentsIn({files}: Source, layout: Layout): DocumentFiles[] {
  const documents = new Map<string, {key: DocumentKey; files: Map<string, FileContent>}>()
  for (const {path, content} of files) {
    const place = layout.placeOf(path)
    if (place === undefined || content === undefined) continue
    const {type, id} = place
    const document = documents.get(jsonPath(place)) ?? {key: {type, id}, files: new Map()}
    document.files.set(path, content)
    documents.set(jsonPath(place), document)
  }
  return [...documents.values()]
}
