import {git, WITHOUT_HOOKS} from './process.ts'
import {readHead} from './read/commits.ts'

/** Timeout in milliseconds: a large repository takes minutes. */
const TIMEOUT = 1_800_000

/** Attempts to write a file with the branch while commits arrive. */
const MAX_ATTEMPTS = 20

/**
 * Writes HEAD and every ref, with their history, to a file. Commits that arrive meanwhile may be in it or not.
 * @returns the commit of the branch in the file; undefined, and no file, if the repository has no commit
 * @throws GitError
 */
export async function writeBundle(root: string, branch: string, path: string): Promise<string | undefined> {
  if ((await readHead(root)) === undefined) return undefined
  for (let attempt = 1; ; attempt += 1) {
    try {
      await git(root, ['bundle', 'create', '--quiet', path, '--all'], {timeout: TIMEOUT})
      // Git reads HEAD and the branch one after the other, so a commit in between makes them differ.
      const heads = await git(root, ['bundle', 'list-heads', path, branch])
      const [commit] = heads.split(' ')
      // Git leaves out a ref that moves while it begins.
      if (commit) return commit
    } catch (error) {
      // If every ref moves, Git refuses to write a file without any.
      if (attempt === MAX_ATTEMPTS) throw error
    }
    if (attempt === MAX_ATTEMPTS)
      throw new Error(
        `git bundle left out ${branch} ${attempt} times, because commits arrive all the time. Try again`,
      )
  }
}

/**
 * Adds the objects and refs of such a file to a bare repository. Git checks that no object is missing.
 * @throws GitError
 */
export async function readBundle(folder: string, path: string): Promise<void> {
  const settings = ['-c', 'core.fsync=all', ...WITHOUT_HOOKS, '-c', 'maintenance.auto=false']
  const options = ['--quiet', '--no-write-fetch-head', '--no-tags']
  await git(folder, [...settings, 'fetch', ...options, '--', path, '+refs/*:refs/*'], {timeout: TIMEOUT})
}
