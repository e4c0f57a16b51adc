import {type FileContent, readBlobs} from './blobs.ts'
import {fileState} from './lsTree.ts'
import {eachEntry} from './treeEntries.ts'

/** With more paths than this, all entries are read instead of passing each path to Git. */
const MAX_NAMED = 200

/**
 * Reads those of some files that a commit or a tree has, by path.
 * @param limit bytes of a file that are kept in memory
 * @throws GitError
 */
export async function readFiles(
  root: string,
  tree: string,
  paths: Iterable<string>,
  limit: number,
): Promise<Map<string, FileContent>> {
  const wanted = new Set(paths)
  const contents = new Map<string, FileContent>()
  if (wanted.size === 0) return contents
  const blobs = new Map<string, string[]>()
  const named = wanted.size > MAX_NAMED ? [] : ['--', ...wanted]
  await eachEntry(root, [tree, ...named], (path, entry) => {
    if (!wanted.has(path)) return
    const {id, kind} = fileState(path, entry)
    if (kind === undefined) blobs.set(id, [...(blobs.get(id) ?? []), path])
    else contents.set(path, kind)
  })
  await readBlobs(root, blobs.keys(), limit, (blob, content) => {
    for (const path of blobs.get(blob) ?? []) contents.set(path, content)
  })
  return contents
}
