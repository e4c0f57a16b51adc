import {type FileContent, readBlobs} from './blobs.ts'
import {fileState} from './lsTree.ts'
import {treeEntries} from './treeEntries.ts'

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
  const named = new Map(Array.from(paths, (path) => [path, true]))
  const contents = new Map<string, FileContent>()
  if (named.size === 0) return contents
  const blobs = new Map<string, string[]>()
  for (const [path, entry] of await treeEntries(root, tree, named)) {
    const {id, kind} = fileState(path, entry)
    if (kind === undefined) blobs.set(id, [...(blobs.get(id) ?? []), path])
    else contents.set(path, kind)
  }
  await readBlobs(root, blobs.keys(), limit, (blob, content) => {
    for (const path of blobs.get(blob) ?? []) contents.set(path, content)
  })
  return contents
}
