import {access, rm, stat} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {syncDirectory} from '../../common/atomicWrite.ts'
import {readBranch, requireBranch} from '../branch.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import {HeadMovedError, PublishError, publishError} from '../errors.ts'
import type {Author} from '../objects/commitObject.ts'
import {zeroId} from '../objects/looseObjects.ts'
import {committedBy, GitError, git, WITHOUT_HOOKS} from '../process.ts'
import {readHead} from '../read/commits.ts'
import type {BranchMove} from './publication.ts'

/** The content of the HEAD file if Git stores refs in tables. https://git-scm.com/docs/reftable */
const IN_TABLES = 'refs/heads/.invalid'

/**
 * Moves the branch that HEAD is on, and so HEAD, unless another process moved it in the meantime, such as a push.
 * Durable once the promise resolves.
 * @param committer for the reflog
 * @throws HeadMovedError
 * @throws PublishError
 */
export async function moveHead(
  {root, format}: ContentDirectory,
  {from, to, reason}: BranchMove,
  committer: Author,
): Promise<void> {
  const branch = await requireBranch(root)
  const ref = branch === IN_TABLES ? 'HEAD' : branch
  const settings = [
    ...WITHOUT_HOOKS,
    '-c',
    'core.fsync=reference',
    // Other Git processes hold a lock on a branch only for moments.
    '-c',
    'core.filesRefLockTimeout=2000',
    ...committedBy(committer),
  ]
  try {
    await git(root, [
      ...settings,
      'update-ref',
      '--create-reflog',
      '-m',
      reason,
      ref,
      to,
      from ?? zeroId(format),
    ])
  } catch (error) {
    // Git may fail after it moved HEAD, and gives the reason for a failure only as text.
    const head = await readHead(root).catch((cause: unknown) => {
      if (cause instanceof GitError && cause.exitCode === 128)
        throw new PublishError('the newest commit of the content repository cannot be read')
      throw publishError(error)
    })
    if (head !== to) {
      if (head === from) throw publishError(error)
      throw new HeadMovedError('another process moved HEAD')
    }
  }
  await syncBranch(root, branch)
}

/** Git syncs the file of a branch, but not the folder that holds its name. */
async function syncBranch(root: string, branch: string): Promise<void> {
  const file = join(root, branch)
  const isFile = await access(file).then(
    () => true,
    () => false,
  )
  await syncDirectory(isFile ? dirname(file) : join(root, 'reftable'))
}

/** Milliseconds after which a lock at the start is one that a crash left: Git processes hold one only for moments. */
const MAX_WAIT = 1_000

/**
 * Removes the locks that a crash of the machine or of the container left: they would block every later commit. Call it once,
 * before the first move.
 * @returns the names of the removed locks
 */
export async function removeStaleLocks({root}: ContentDirectory): Promise<string[]> {
  const branch = await readBranch(root)
  const locks = [
    'HEAD.lock',
    ...(branch === undefined ? [] : [`${branch}.lock`]),
    'reftable/tables.list.lock',
  ]
  const found = await Promise.all(locks.map((lock) => identify(join(root, lock))))
  if (found.every((one) => one === undefined)) return []
  await setTimeout(MAX_WAIT)
  const removed: string[] = []
  for (const [index, lock] of locks.entries()) {
    if (found[index] === undefined || (await identify(join(root, lock))) !== found[index]) continue
    await rm(join(root, lock), {force: true})
    removed.push(lock)
  }
  return removed
}

async function identify(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined)
  return found && `${found.ino} ${found.mtimeMs} ${found.size}`
}
