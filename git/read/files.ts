import type {GitOptions} from '../process.ts'
import {type FileContent, readBlobs} from './blobs.ts'
import {type FileState, fileState} from './lsTree.ts'
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
  const files: FileState[] = []
  const named = wanted.size > MAX_NAMED ? [] : ['--', ...wanted]
  await eachEntry(root, [tree, ...named], (path, entry) => {
    if (wanted.has(path)) files.push(fileState(path, entry))
  })
  await readContents(root, files, limit, ({path}, content) => contents.set(path, content))
  return contents
}

/**
 * Reads what is in some files. Each blob is read once, and many files may have the same.
 * @param limit bytes of a file that are kept in memory
 * @throws GitError
 */
export async function readContents<T extends FileState>(
  root: string,
  files: Iterable<T>,
  limit: number,
  onFile: (file: T, content: FileContent) => void,
  options?: GitOptions,
): Promise<void> {
  const blobs = new Map<string, T[]>()
  for (const file of files) {
    const same = blobs.get(file.id)
    if (file.kind !== undefined) onFile(file, file.kind)
    else if (same === undefined) blobs.set(file.id, [file])
    else same.push(file)
  }
  const onBlob = (blob: string, content: FileContent) => {
    for (const file of blobs.get(blob) ?? []) onFile(file, content)
  }
  await readBlobs(root, blobs.keys(), limit, onBlob, options)
}
