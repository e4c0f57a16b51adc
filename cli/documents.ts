import {type DocumentKey, jsonPath, type Layout} from '../content/layout/layout.ts'
import type {FileContent} from '../content/parseDocument.ts'
import type {RepositoryFile, Source} from './source/source.ts'

/** A document, and its files by path. */
export type DocumentFiles = {readonly key: DocumentKey; readonly files: ReadonlyMap<string, FileContent>}

/** The documents of a repository, in the order of their paths. The files of each are read on first use. */
export function documentsIn({files}: Source, layout: Layout): DocumentFiles[] {
  const documents = new Map<string, RepositoryDocument>()
  for (const file of files) {
    const place = layout.placeOf(file.path)
    if (place === undefined) continue
    const path = jsonPath(place)
    const document = documents.get(path) ?? new RepositoryDocument(place)
    document.add(file)
    documents.set(path, document)
  }
  return [...documents.values()]
}

class RepositoryDocument implements DocumentFiles {
  readonly key: DocumentKey
  readonly #files: RepositoryFile[] = []

  constructor({type, id}: DocumentKey) {
    this.key = {type, id}
  }

  add(file: RepositoryFile): void {
    this.#files.push(file)
  }

  get files(): ReadonlyMap<string, FileContent> {
    return new Map(
      this.#files.flatMap(({path, content}): [string, FileContent][] =>
        content === undefined ? [] : [[path, content]],
      ),
    )
  }
}
