import {access} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {syncDirectory} from '../../../common/atomicWrite.ts'
import {findPause, readBranch} from '../branch.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import {git} from '../process.ts'
import {readHead} from '../read/lsTree.ts'
import type {Author} from './commitObject.ts'

/** A publication could not be made, and nothing was changed. The message is one line. */
export class PublishError extends Error {}

/** Nothing can be published while HEAD is on no branch. The message says to an editor what to do. */
export class PublishingPausedError extends PublishError {}

/** HEAD is no longer the commit that the publication was made for: nothing was changed; refresh and try again. */
export class HeadMovedError extends Error {}

/**
 * Hooks and signing are for a person at a terminal: they may ask, take minutes, or need a key that a service
 * does not have. What reaches the branch is checked before, by the lake.
 */
const WITHOUT_HOOKS = ['-c', 'core.hooksPath=/dev/null']

export type HeadMove = {
  /** The commit that HEAD must be at; the zero id where the branch shall have none yet. */
  readonly from: string
  readonly to: string
  /** One line for the reflog. */
  readonly reason: string
  /** The reflog names somebody too, and Git refuses where it knows no name. */
  readonly committer: Author
}

/** @throws PublishingPausedError while a publish would not reach a branch for good */
export async function requireBranch(folder: ContentDirectory): Promise<void> {
  const pause = await findPause(folder)
  if (pause !== undefined) throw new PublishingPausedError(pause.message)
}

/** What HEAD's file holds where Git stores refs in tables. https://git-scm.com/docs/reftable */
const IN_TABLES = 'refs/heads/.invalid'

/**
 * Moves the branch that HEAD is on, and so HEAD, unless somebody else moved it meanwhile. The branch is named, so that it
 * is the one that moves even when somebody checks out a commit at this moment. The move is durable when the promise
 * resolves.
 * @throws HeadMovedError
 * @throws PublishError
 */
export async function moveHead(
  folder: ContentDirectory,
  {from, to, reason, committer}: HeadMove,
): Promise<void> {
  await requireBranch(folder)
  const branch = await readBranch(folder.gitDir)
  const ref = branch === undefined || branch === IN_TABLES ? 'HEAD' : branch
  const settings = [
    ...WITHOUT_HOOKS,
    '-c',
    'core.fsync=reference',
    // Somebody's lock on a branch is held for moments.
    '-c',
    'core.filesRefLockTimeout=2000',
    '-c',
    `user.name=${committer.name}`,
    '-c',
    `user.email=${committer.email}`,
  ]
  try {
    await git(folder.root, [...settings, 'update-ref', '--create-reflog', '-m', reason, ref, to, from])
  } catch (error) {
    // Git may fail after it moved HEAD, and says in words only why it did not.
    const head = await readHead(folder.root).catch(() => {
      throw publishError(error)
    })
    if (head !== to) {
      if (head === from || (head === undefined && /^0+$/.test(from))) throw publishError(error)
      throw new HeadMovedError('HEAD was moved by somebody else')
    }
  }
  await syncBranch(folder)
}

/** One line for a person about what kept a publication from being made. */
export function publishError(error: unknown): PublishError {
  const reason = error instanceof Error ? error.message : String(error)
  return new PublishError(`the content repository cannot be written: ${reason.replace(/\s+/g, ' ')}`, {
    cause: error,
  })
}

/** Git makes the file of a branch durable, not its name. */
async function syncBranch({gitDir, commonDir}: ContentDirectory): Promise<void> {
  const branch = await readBranch(gitDir)
  const file = branch === undefined ? join(gitDir, 'HEAD') : join(commonDir, branch)
  const isFile = await access(file).then(
    () => true,
    () => false,
  )
  await syncDirectory(isFile ? dirname(file) : join(commonDir, 'reftable'))
}
