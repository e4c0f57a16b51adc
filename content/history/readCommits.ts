import {blobOf, type FileState, fileState, type RawChange, readLog} from '../../git/read/trees.ts'
import {mayBeContent} from '../layout/layout.ts'

/** A path that may be content and that a commit changed. */
type ChangedPath = {
  readonly path: string
  /** The blob that was there, if there was a file. */
  readonly before: string | undefined
  readonly after: FileState | undefined
}

/** A commit, compared with its first parent. */
export type ReadCommit = {
  readonly commit: string
  /** Since 1970. */
  readonly seconds: number
  readonly name: string
  readonly email: string
  /** The first line of its message. */
  readonly subject: string
  /** The lines of its trailers. https://git-scm.com/docs/git-interpret-trailers */
  readonly trailers: string
  readonly changes: readonly ChangedPath[]
}

const PLACEHOLDERS = ['%H', '%ct', '%ae', '%an', '%s', '%(trailers:only,unfold)']

/** Maximum characters of a subject, and of a name or an address: Git limits none of them. */
const MAX_SUBJECT = 200
const MAX_AUTHOR = 1_000

/**
 * Reads a commit and those before it along first parents, up to one that is known, the newest first.
 * @throws GitError
 */
export async function readCommits(root: string, commit: string, isKnown: (commit: string) => boolean) {
  const commits: ReadCommit[] = []
  let known: string | undefined
  const stop = new AbortController()
  let changes: ChangedPath[] = []
  const onCommit = ([id = '', seconds = '', email = '', name = '', subject = '', ...trailers]: string[]) => {
    if (known === undefined && isKnown(id)) known = id
    if (known !== undefined) return stop.abort()
    changes = []
    commits.push({
      commit: id,
      seconds: commitSeconds(seconds),
      email: email.slice(0, MAX_AUTHOR),
      name: name.slice(0, MAX_AUTHOR),
      subject: subject.slice(0, MAX_SUBJECT),
      trailers: trailers.join(''),
      changes,
    })
  }
  const onChange = ({path, before, after}: RawChange) => {
    if (known !== undefined || !mayBeContent(path)) return
    changes.push({path, before: blobOf(before), after: after && fileState(path, after)})
  }
  const options = {signal: stop.signal, timeout: 600_000}
  await readLog(root, PLACEHOLDERS, ['--first-parent', commit], {onCommit, onChange}, options)
  return {commits, known}
}

/** The last second of the year 9999. Later dates have a longer form, which sorts before all others. */
const MAX_SECONDS = 253_402_300_799

/**
 * The date of a commit in seconds since 1970, between 0 and {@link MAX_SECONDS}: Git accepts any number, and none.
 * @param text as Git prints it for `%ct`
 */
function commitSeconds(text: string): number {
  const seconds = Number.parseInt(text, 10)
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(0, seconds), MAX_SECONDS)
}
