import {GitError, git, isDamage, streamGit} from '../process.ts'

/**
 * The commit that HEAD names, or undefined in a repository without a commit.
 * @throws GitError
 */
export async function readHead(directory: string): Promise<string | undefined> {
  try {
    return await commitOfHead(directory)
  } catch (error) {
    if (!(error instanceof GitError) || error.exitCode !== 1) throw error
    // A branch that has a commit by now may have got its first one after Git looked for it.
    return (await isUnborn(directory)) ? undefined : commitOfHead(directory)
  }
}

async function commitOfHead(directory: string): Promise<string> {
  return (await git(directory, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])).trim()
}

/**
 * Git reports the same for a branch without a commit and for a branch whose commit is missing, so check the
 * ref.
 */
async function isUnborn(directory: string): Promise<boolean> {
  const branch = (await git(directory, ['symbolic-ref', '--quiet', 'HEAD'])).trim()
  return (await git(directory, ['for-each-ref', '--count=1', branch])) === ''
}

/**
 * A commit and those before it along first parents, the newest first. Ends before a commit that Git cannot read.
 * @throws GitError if Git cannot be run
 */
export async function firstParents(directory: string, commit: string, count: number): Promise<string[]> {
  let lines = ''
  const args = ['rev-list', '--first-parent', `--max-count=${count}`, commit]
  await streamGit(directory, args, (chunk) => {
    lines += chunk.toString()
  }).catch((error: unknown) => {
    if (!isDamage(error)) throw error
  })
  return lines.split('\n').filter((line) => line !== '')
}

/** The author and time of a commit, in seconds since 1970. Dates of documents use the commit date. */
export type Commit = {readonly id: string; readonly author: string; readonly seconds: number}

/**
 * Reads a commit's date and author: the email address, Git's closest equivalent to a user id.
 * @throws GitError
 */
export async function readCommit(directory: string, commit: string): Promise<Commit> {
  let answer = ''
  // Not "git show", which also reads the trees of the parents.
  const args = ['rev-list', '--max-count=1', '--format=%ct%n%ae', commit]
  await streamGit(directory, args, (chunk) => {
    if (answer.length < MAX_HEADER) answer += chunk.toString()
  })
  const [, date = '', author = ''] = answer.split('\n')
  return {id: commit, author: author.slice(0, MAX_AUTHOR), seconds: commitSeconds(date)}
}

/** Characters of a commit's header that are kept, and of its author: Git limits neither. */
const MAX_HEADER = 64 * 1024
export const MAX_AUTHOR = 1_000

/** The last second of the year 9999. Later dates have a longer form, which sorts before all others. */
const MAX_SECONDS = 253_402_300_799

/**
 * The date of a commit in seconds since 1970, between 0 and {@link MAX_SECONDS}: Git accepts any number, and none.
 * @param text as Git prints it for `%ct`
 */
export function commitSeconds(text: string): number {
  const seconds = Number.parseInt(text, 10)
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(0, seconds), MAX_SECONDS)
}
