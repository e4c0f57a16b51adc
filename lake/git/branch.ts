import {readFile, stat} from 'node:fs/promises'
import {join} from 'node:path'
import type {ContentDirectory} from './contentDirectory.ts'
import {git} from './process.ts'

/** How many earlier positions of HEAD to search for a branch. */
const MAX_EARLIER = 10

/** Why publishing is paused. */
export type Pause = {
  readonly code: 'HEAD_DETACHED' | 'REBASE_IN_PROGRESS' | 'BISECT_IN_PROGRESS'
  /** One or two sentences on what is wrong and what to do. Contains no file system paths. */
  readonly message: string
}

/** The full name of the ref that HEAD is on, such as `refs/heads/main`; undefined if HEAD is detached. */
export async function readBranch(gitDir: string): Promise<string | undefined> {
  return /^ref: (\S+)/.exec(await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => ''))?.[1]
}

/**
 * Checks whether a new commit would stay on a branch. On a detached HEAD it would be lost with the next
 * checkout, and a rebase may reset the branch to where it was. A merge in progress does not pause publishing.
 */
export async function findPause(folder: ContentDirectory): Promise<Pause | undefined> {
  const {gitDir} = folder
  const [branch, rebases, applies] = await Promise.all([
    readBranch(gitDir),
    exists(join(gitDir, 'rebase-merge')),
    exists(join(gitDir, 'rebase-apply', 'rebasing')),
  ])
  if (rebases || applies) {
    return {
      code: 'REBASE_IN_PROGRESS',
      message:
        'Publishing is paused: a rebase is in progress in the content repository. ' +
        'Ask a developer to run: git rebase --continue, or git rebase --abort',
    }
  }
  if (branch !== undefined) return undefined
  if (await exists(join(gitDir, 'BISECT_LOG'))) {
    return {
      code: 'BISECT_IN_PROGRESS',
      message:
        'Publishing is paused: a bisect is in progress in the content repository. ' +
        'Ask a developer to run: git bisect reset',
    }
  }
  const last = await lastBranch(folder.root)
  return {
    code: 'HEAD_DETACHED',
    message:
      'Publishing is paused: the content repository has a commit checked out instead of ' +
      (last === undefined
        ? 'a branch. Ask a developer to check out a branch'
        : `branch ${last}. Ask a developer to run: git checkout ${last}`),
  }
}

/** The short name of the branch that HEAD was on before. https://git-scm.com/docs/gitrevisions */
async function lastBranch(root: string): Promise<string | undefined> {
  for (let steps = 1; steps <= MAX_EARLIER; steps += 1) {
    const args = ['rev-parse', '--quiet', '--verify', '--symbolic-full-name', `@{-${steps}}`]
    const name = await git(root, args).catch(() => undefined)
    if (name === undefined) return undefined
    const branch = /^refs\/heads\/(\S+)$/.exec(name.trim())?.[1]
    if (branch !== undefined) return branch
  }
  return undefined
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
