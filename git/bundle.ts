import {git} from './process.ts'
import {readHead} from './read/lsTree.ts'

/** Timeout in milliseconds: a large repository takes minutes. */
const TIMEOUT = 1_800_000

/**
 * Writes HEAD and every ref, with their history, to a file. Commits that arrive meanwhile may be in it or not.
 * @returns the commit of HEAD in the file; undefined, and no file, if the repository has no commit
 * @throws GitError
 */
export async function writeBundle(root: string, path: string): Promise<string | undefined> {
  if ((await readHead(root)) === undefined) return undefined
  await git(root, ['bundle', 'create', '--quiet', path, '--all'], {timeout: TIMEOUT})
  const heads = await git(root, ['bundle', 'list-heads', path, 'HEAD'])
  return heads.split(' ')[0]
}

/**
 * Adds the objects and refs of such a file to a bare repository. Git checks that no object is missing.
 * @throws GitError
 */
export async function readBundle(folder: string, path: string): Promise<void> {
  const settings = ['-c', 'core.fsync=all', '-c', 'core.hooksPath=/dev/null', '-c', 'maintenance.auto=false']
  const options = ['--quiet', '--no-write-fetch-head', '--no-tags']
  await git(folder, [...settings, 'fetch', ...options, '--', path, '+refs/*:refs/*'], {timeout: TIMEOUT})
}
