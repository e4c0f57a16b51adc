import {splitFields, streamGit} from '../git/process.ts'
import {TRANSACTION_TRAILER} from '../write/message.ts'

/** The metadata of a commit, and what it did to some paths. */
export type CommitFacts = {
  readonly commit: string
  readonly name: string
  readonly email: string
  /** The transaction of a commit that the lake made. */
  readonly transactionId: string | undefined
  /** The first line of its message. */
  readonly subject: string
  /** The blobs that it left; undefined for a deleted one. */
  readonly blobs: ReadonlyMap<string, string | undefined>
  /** The blobs that it replaced or deleted. */
  readonly replaced: ReadonlyMap<string, string>
}

/** Maximum characters of a subject. */
const MAX_SUBJECT = 200

/** No field of Git's raw format starts with this byte. */
const MARK = '\x01'
const SEPARATOR = '\x02'

/**
 * Reads commits, compared with their first parents, limited to these paths. An empty list means all paths.
 * @throws GitError
 */
export async function readCommits(
  directory: string,
  commits: readonly string[],
  paths: readonly string[],
): Promise<Map<string, CommitFacts>> {
  const found = new Map<string, CommitFacts>()
  if (commits.length === 0) return found
  let blobs = new Map<string, string | undefined>()
  let replaced = new Map<string, string>()
  let header: string[] | undefined
  const onField = (field: string) => {
    if (header !== undefined) {
      const [modeBefore = '', mode = '', before, blob, status] = header
      header = undefined
      // Symbolic links and submodules are never followed.
      blobs.set(field, status !== 'D' && mode.startsWith('100') ? blob : undefined)
      if (before !== undefined && modeBefore.startsWith('100')) replaced.set(field, before)
    } else if (field.startsWith(MARK)) {
      blobs = new Map()
      replaced = new Map()
      const facts = {...parseHeader(field.slice(1)), blobs, replaced}
      found.set(facts.commit, facts)
    } else if (field.trimStart().startsWith(':')) {
      header = field.trimStart().slice(1).split(' ')
    }
  }
  const trailer = `%(trailers:key=${TRANSACTION_TRAILER},valueonly,separator=%x2C)`
  const format = `--format=tformat:${['%x01%H', '%ae', trailer, '%an', '%s'].join('%x02')}`
  const raw = ['-z', '--raw', '--no-renames', '--no-abbrev', '--no-color', '--diff-merges=first-parent']
  const config = ['-c', 'log.showRoot=true', '-c', 'log.showSignature=false']
  const args = [
    ...config,
    '--literal-pathspecs',
    'log',
    '--no-walk=unsorted',
    '--stdin',
    format,
    ...raw,
    '--',
  ]
  const input = commits.map((commit) => `${commit}\n`).join('')
  await streamGit(directory, [...args, ...paths], splitFields(onField), {input, timeout: 120_000})
  return found
}

function parseHeader(text: string): Omit<CommitFacts, 'blobs' | 'replaced'> {
  const [commit = '', email = '', trailers = '', name = '', subject = ''] = text.split(SEPARATOR)
  // A squashed commit may name several transactions. It counts as none of them.
  const transactionId = /^[A-Za-z0-9._-]{1,128}$/.test(trailers) ? trailers : undefined
  return {commit, name, email, transactionId, subject: subject.slice(0, MAX_SUBJECT)}
}
