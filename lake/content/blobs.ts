import {GitError, streamGit} from './git.ts'

const newline = 0x0a

/**
 * Reads blobs through one `git cat-file --batch`. A blob of more than `limit` bytes is handed over as
 * undefined, without being kept.
 * @throws GitError when one is missing
 */
export async function readBlobs(
  directory: string,
  blobs: Iterable<string>,
  limit: number,
  onBlob: (blob: string, content: Buffer | undefined) => void,
): Promise<void> {
  const input = Array.from(blobs, (blob) => `${blob}\n`).join('')
  if (input === '') return
  const reader = batchReader(limit, onBlob)
  await streamGit(directory, ['cat-file', '--batch', '--buffer'], reader, {input, timeout: 120_000})
}

/** Takes the stream apart: `<id> blob <size>`, a newline, the content, a newline. */
function batchReader(limit: number, onBlob: (blob: string, content: Buffer | undefined) => void) {
  let header: Buffer[] = []
  let blob = ''
  /** Bytes of the content still to come; -1 while a header is read, 0 while its final newline is. */
  let missing = -1
  let content: Buffer[] | undefined
  return (chunk: Buffer): void => {
    let at = 0
    while (at < chunk.length) {
      if (missing === -1) {
        const end = chunk.indexOf(newline, at)
        header.push(chunk.subarray(at, end === -1 ? chunk.length : end))
        if (end === -1) return
        at = end + 1
        const [id, type, size] = Buffer.concat(header).toString().split(' ')
        header = []
        if (id === undefined || type !== 'blob' || size === undefined) {
          throw new GitError('cat-file', `${id ?? 'an object'} is not there (${type ?? 'no answer'})`)
        }
        blob = id
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
        onBlob(blob, content && Buffer.concat(content))
      }
    }
  }
}
