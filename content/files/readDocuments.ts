import {type FileContent, readContents} from '../../git/read/blobs.ts'
import type {FileState, PathChange} from '../../git/read/trees.ts'
import {type DocumentKey, groupByDocument, type Layout} from '../layout/layout.ts'
import {assembleDocument, MAX_FILE_BYTES} from '../parseDocument.ts'
import type {DocumentState} from './documentFiles.ts'

/** The files that some documents have after a change, by the paths of their JSON; none if it was deleted. */
type ChangedFiles = ReadonlyMap<string, {readonly key: DocumentKey; readonly files: FileState[]}>

/**
 * Combines changed paths to documents.
 * @param known the files that a document had, by the path of its JSON
 */
export function groupChanges(
  layout: Layout,
  changes: Iterable<PathChange>,
  known: (path: string) => readonly FileState[],
): ChangedFiles {
  const groups = groupByDocument(layout, changes)
  return new Map(
    Array.from(groups, ([json, {key, files: changed}]) => {
      const states = new Map(changed.map(({path, state}) => [path, state]))
      const others = known(json).filter(({path}) => !states.has(path))
      return [json, {key, files: [...others, ...[...states.values()].filter((state) => state !== undefined)]}]
    }),
  )
}

/**
 * Reads and assembles documents.
 * @throws GitError
 */
export async function readDocuments(
  root: string,
  layout: Layout,
  changed: ChangedFiles,
): Promise<Map<string, DocumentState>> {
  const contents = new Map(Array.from(changed.keys(), (json) => [json, new Map<string, FileContent>()]))
  const all = [...changed].flatMap(([json, {files}]) => files.map((file) => ({...file, json})))
  await readContents(root, all, MAX_FILE_BYTES, ({json, path}, content) =>
    contents.get(json)?.set(path, content),
  )
  const documents = new Map<string, DocumentState>()
  for (const [json, {key, files}] of changed) {
    const read = contents.get(json)
    if (files.length > 0 && read !== undefined)
      documents.set(json, {files, parsed: assembleDocument(layout, key, read)})
  }
  return documents
}
