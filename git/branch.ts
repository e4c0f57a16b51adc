import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {PublishError} from './errors.ts'

/** The full name of the ref that HEAD is on, such as `refs/heads/main`; undefined if HEAD is detached. */
export async function readBranch(gitDir: string): Promise<string | undefined> {
  return /^ref: (\S+)/.exec(await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => ''))?.[1]
}

/** The name of a branch as people use it, such as `main`. */
export function shortName(branch: string): string {
  return branch.replace(/^refs\/heads\//, '')
}

/** The ref that has what was fetched last of a branch of the remote. */
export function fetchedRef(branch: string): string {
  return branch.replace(/^refs\/heads\//, 'refs/handrail/')
}

/** What to do if HEAD names a commit. A new commit would then be on no branch, and be lost. */
export const DETACHED =
  'the content repository is on no branch. Ask a developer to run there: git symbolic-ref HEAD refs/heads/main'

/**
 * The same for a repository that gets a new commit.
 * @throws PublishError if HEAD is detached
 */
export async function requireBranch(gitDir: string): Promise<string> {
  const branch = await readBranch(gitDir)
  if (branch === undefined) throw new PublishError(DETACHED)
  return branch
}
