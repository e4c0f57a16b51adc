/** A file of a document cannot be used. The message tells a person why, and what to do. */
export class FileError extends Error {
  /** Counted from 1; undefined if the file as a whole is wrong. */
  readonly line: number | undefined

  constructor(message: string, line?: number) {
    super(message)
    this.line = line
  }
}

/** https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md#the-pointer */
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//

/** In this order. https://git-scm.com/docs/git-merge#_how_conflicts_are_presented */
const CONFLICT_MARKERS = [/^<{7} /gm, /^={7}\r?$/gm, /^>{7} /gm]

const DECODER = new TextDecoder('utf-8', {fatal: true})

/**
 * Decodes the bytes of a file, without a byte order mark.
 * @throws FileError
 */
export function decodeText(bytes: Buffer): string {
  let text: string
  try {
    text = DECODER.decode(bytes)
  } catch {
    throw new FileError('not UTF-8 text: save the file as UTF-8')
  }
  if (text.includes('\0'))
    throw new FileError('contains NUL bytes, as UTF-16 text does: save the file as UTF-8')
  if (LFS_POINTER.test(text))
    throw new FileError('a pointer of Git LFS, not the file itself: store the file in Git without LFS')
  const start = findConflict(text)
  if (start !== undefined) {
    const line = text.slice(0, start).split('\n').length
    throw new FileError(`a merge conflict begins in line ${line}: resolve it and commit again`, line)
  }
  return text
}

/**
 * The text that a text file holds: all but its last newline, which a text file has so that Git does not
 * report that it is missing.
 * @throws FileError
 */
export function readText(bytes: Buffer): string {
  const text = decodeText(bytes)
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

/** The content of the file for a text; undefined if {@link readText} would not return the same text. */
export function writeText(text: string): string | undefined {
  const content = `${text}\n`
  try {
    return readText(Buffer.from(content)) === text ? content : undefined
  } catch {
    return undefined
  }
}

/** The offset of the first marker of an unresolved conflict. */
function findConflict(text: string): number | undefined {
  // Much faster than an expression that looks at each line.
  if (!text.includes('<<<<<<< ')) return undefined
  let start: number | undefined
  let from = 0
  for (const marker of CONFLICT_MARKERS) {
    marker.lastIndex = from
    const found = marker.exec(text)
    if (found === null) return undefined
    start ??= found.index
    from = found.index
  }
  return start
}
