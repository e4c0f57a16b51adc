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
 * Reads and assembles documents. Each is parsed as soon as its files have arrived, so that the event loop is
 * never blocked for long and no content is kept longer than its document needs it.
 * @throws GitError
 */
export async function readDocuments(
  root: string,
  layout: Layout,
  changed: ChangedFiles,
): Promise<Map<string, DocumentState>> {
  const documents = new Map<string, DocumentState>()
  /** What has arrived of documents of which other files have not, by the paths of their JSON. */
  const incomplete = new Map<string, Map<string, FileContent>>()
  const add = ({json, path}: {readonly json: string; readonly path: string}, content: FileContent) => {
    const document = changed.get(json)
    if (document === undefined) return
    const {key, files} = document
    const contents = incomplete.get(json) ?? new Map<string, FileContent>()
    contents.set(path, content)
    if (contents.size < files.length) {
      incomplete.set(json, contents)
      return
    }
    incomplete.delete(json)
    documents.set(json, {files, parsed: assembleDocument(layout, key, contents)})
  }
  const files = [...changed].flatMap(([json, {files}]) => files.map((file) => ({...file, json})))
  await readContents(root, files, MAX_FILE_BYTES, add)
  return documents
}
