import {TRANSACTION_TRAILER} from '../../content/drafts/trailers.ts'
import {blobOf} from '../../git/read/lsTree.ts'
import {type RawChange, readLog} from '../../git/read/rawChanges.ts'
import {AUTHOR_TRAILER, REVIEWER_TRAILER, SKIPPED_TRAILER} from '../write/message.ts'

/** The metadata of a commit, and what it did to some paths. */
export type CommitFacts = {
  readonly commit: string
  readonly name: string
  readonly email: string
  /** The transaction of a commit that the lake made. */
  readonly transactionId: string | undefined
  /** The first line of its message. */
  readonly subject: string
  /** The names of those who wrote the draft, if others published it. */
  readonly writers: string | undefined
  /** The name of its reviewer. */
  readonly reviewer: string | undefined
  /** Why it was published without the review that it needed. */
  readonly skippedReview: string | undefined
  /** The blobs that it left; undefined for a deleted one. */
  readonly blobs: ReadonlyMap<string, string | undefined>
  /** The blobs that it replaced or deleted. */
  readonly replaced: ReadonlyMap<string, string>
}

/** Maximum characters of a subject. */
const MAX_SUBJECT = 200

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
  const onCommit = (values: string[]) => {
    blobs = new Map()
    replaced = new Map()
    const facts = {...factsOf(values), blobs, replaced}
    found.set(facts.commit, facts)
  }
  const onChange = ({path, before, after}: RawChange) => {
    const blobBefore = blobOf(before)
    blobs.set(path, blobOf(after))
    if (blobBefore !== undefined) replaced.set(path, blobBefore)
  }
  const args = ['--no-walk=unsorted', '--stdin', '--', ...paths]
  const input = commits.map((commit) => `${commit}\n`).join('')
  const trailers = [TRANSACTION_TRAILER, AUTHOR_TRAILER, REVIEWER_TRAILER, SKIPPED_TRAILER].map(
    (key) => `%(trailers:key=${key},valueonly,separator=%x2C)`,
  )
  const placeholders = ['%H', '%ae', '%an', '%s', ...trailers]
  await readLog(directory, placeholders, args, {onCommit, onChange}, {input, timeout: 120_000})
  return found
}

function factsOf(values: readonly string[]): Omit<CommitFacts, 'blobs' | 'replaced'> {
  const [commit = '', email = '', name = '', subject = '', transaction = '', ...trailers] = values
  const [writers = '', reviewers = '', skipped = ''] = trailers
  // A squashed commit may name several transactions. It counts as none of them.
  const transactionId = /^[A-Za-z0-9._-]{1,128}$/.test(transaction) ? transaction : undefined
  return {
    commit,
    name,
    email,
    transactionId,
    subject: subject.slice(0, MAX_SUBJECT),
    // Without a reviewer, they wrote it together with the author of the commit.
    writers: reviewers === '' ? undefined : namesIn(writers),
    reviewer: namesIn(reviewers),
    skippedReview: skipped.slice(0, MAX_SUBJECT) || undefined,
  }
}

/** The names in trailers such as `Ada <ada@example.com>`, joined by commas. */
function namesIn(trailers: string): string | undefined {
  const names = trailers.replace(/\s*<[^>]*>/g, '').replaceAll(',', ', ')
  return names.slice(0, MAX_SUBJECT) || undefined
}
