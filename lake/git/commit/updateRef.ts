import {access} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {syncDirectory} from '../../../common/atomicWrite.ts'
import {findPause, readBranch} from '../branch.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import {HeadMovedError, PublishError, PublishingPausedError, publishError} from '../errors.ts'
import type {Author} from '../objects/commitObject.ts'
import {GitError, git} from '../process.ts'
import {readHead} from '../read/lsTree.ts'

/**
 * Hooks and signing are for a person at a terminal: they may prompt, take minutes, or need a key that a
 * service does not have. The lake itself checks what reaches the branch.
 */
const WITHOUT_HOOKS = ['-c', 'core.hooksPath=/dev/null']

export type HeadMove = {
  /** The commit that HEAD must be at; the zero id if the branch must have none yet. */
  readonly from: string
  readonly to: string
  /** One line for the reflog. */
  readonly reason: string
  /** The reflog records a name too, and Git refuses to write without one. */
  readonly committer: Author
}

/** @throws PublishingPausedError while a new commit would not stay on a branch */
export async function requireBranch(folder: ContentDirectory): Promise<void> {
  const pause = await findPause(folder)
  if (pause !== undefined) throw new PublishingPausedError(pause.message)
}

/** The content of the HEAD file if Git stores refs in tables. https://git-scm.com/docs/reftable */
const IN_TABLES = 'refs/heads/.invalid'

/**
 * Moves the branch that HEAD is on, and so HEAD, unless another process moved it in the meantime. The branch is
 * named explicitly, so that it moves even if a person checks out another commit at this moment. Durable once
 * the promise resolves.
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
    // Other Git processes hold a lock on a branch only for moments.
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
    // Git may fail after it moved HEAD, and gives the reason for a failure only as text.
    const head = await readHead(folder.root).catch((cause: unknown) => {
      if (cause instanceof GitError && cause.exitCode === 128)
        throw new PublishError('the newest commit of the content repository cannot be read')
      throw publishError(error)
    })
    if (head !== to) {
      if (head === from || (head === undefined && /^0+$/.test(from))) throw publishError(error)
      throw new HeadMovedError('another process moved HEAD')
    }
  }
  await syncBranch(folder)
}

/** Git syncs the file of a branch, but not the folder that holds its name. */
async function syncBranch({gitDir, commonDir}: ContentDirectory): Promise<void> {
  const branch = await readBranch(gitDir)
  const file = branch === undefined ? join(gitDir, 'HEAD') : join(commonDir, branch)
  const isFile = await access(file).then(
    () => true,
    () => false,
  )
  await syncDirectory(isFile ? dirname(file) : join(commonDir, 'reftable'))
}
