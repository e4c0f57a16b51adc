import {GitError, git} from '../process.ts'

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
