import {type DocumentKey, groupByDocument} from '../content/layout/layout.ts'
import type {FileContent} from '../content/parseDocument.ts'
import {LAYOUT} from './layout.ts'
import type {Source} from './source/source.ts'

/** A document, and its files by path. */
export type DocumentFiles = {readonly key: DocumentKey; readonly files: ReadonlyMap<string, FileContent>}

/** The documents of a repository, in the order of their paths. */
export function documentsIn({files}: Source): DocumentFiles[] {
  const read = files.flatMap(({path, content}) => (content === undefined ? [] : [{path, content}]))
  return Array.from(groupByDocument(LAYOUT, read).values(), ({key, files: own}) => {
    return {key, files: new Map(own.map(({path, content}) => [path, content]))}
  })
}
