import {GitError, type GitOptions, streamGit} from '../process.ts'
import {eachEntry, type FileState, fileState} from './trees.ts'

/** The content of a blob. */
export type BlobContent = Buffer | 'too large'

/** The content of a file. Links and submodules are never followed. */
export type FileContent = BlobContent | 'link' | 'submodule' | 'unreadable'

/** More blobs than this have many megabytes. */
const MANY_BLOBS = 1_000

/**
 * Git's memory for unpacked blobs that others are stored as differences to. With its default of 96 MB, reading 300 MB
 * takes almost four times as long, because it unpacks most of them again and again.
 */
const GIT_CACHE = 'core.deltaBaseCacheLimit=256m'

const NEWLINE = 0x0a

/**
 * Reads blobs through one `git cat-file --batch`. A blob of more than `limit` bytes is not kept in memory.
 * @param blobs each at most once
 * @throws GitError, also if one is missing or damaged
 */
export async function readBlobs(
  directory: string,
  blobs: Iterable<string>,
  limit: number,
  onBlob: (blob: string, content: BlobContent) => void,
  options: GitOptions = {},
): Promise<void> {
  const names = [...blobs]
  if (names.length === 0) return
  let done = 0
  // Blobs arrive in the order of the requests. Maps find the given string faster than an equal one.
  const reader = batchReader(limit, (content) => {
    const blob = names[done]
    done += 1
    if (blob !== undefined) onBlob(blob, content)
  })
  await streamGit(directory, ['-c', GIT_CACHE, 'cat-file', '--batch', '--buffer'], reader, {
    ...options,
    input: names.map((blob) => `${blob}\n`).join(''),
    timeout: 120_000,
    hasLargeOutput: names.length > MANY_BLOBS,
  })
}

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
  await eachEntry(root, [tree], (path, entry) => {
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

/** Parses the stream: `<id> blob <size>`, a newline, the content, a newline; or `<id> missing`, a newline. */
function batchReader(limit: number, onBlob: (content: BlobContent) => void) {
  let header = ''
  /** Bytes of the content still to come; -1 while a header is read, 0 while its final newline is. */
  let missing = -1
  let content: Buffer[] | undefined
  return (chunk: Buffer): void => {
    let at = 0
    while (at < chunk.length) {
      if (missing === -1) {
        const end = chunk.indexOf(NEWLINE, at)
        header += chunk.toString('latin1', at, end === -1 ? chunk.length : end)
        if (end === -1) return
        at = end + 1
        const [id, type, size] = header.split(' ')
        header = ''
        if (type !== 'blob' || size === undefined)
          throw new GitError('cat-file', `the object ${id} is missing`)
        missing = Number(size)
        content = missing > limit ? undefined : []
      } else if (missing > 0) {
        const piece = chunk.subarray(at, at + missing)
        content?.push(piece)
        missing -= piece.length
        at += piece.length
      } else {
        at += 1
        missing = -1
        onBlob(content === undefined ? 'too large' : joined(content))
      }
    }
  }
}

/** Most blobs arrive in one piece, and there may be a hundred thousand. */
function joined(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces)
}
