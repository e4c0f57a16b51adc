import {access, rm, stat, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {ensureDirectory, OWNER_ONLY, syncDirectory} from '../../common/atomicWrite.ts'
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
  const marker = markerIn(root)
  await ensureDirectory(dirname(marker), OWNER_ONLY)
  await writeFile(marker, '')
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
  } finally {
    await rm(marker, {force: true}).catch(() => {})
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

/** Exists while the lake moves its branch: it tells the locks that a crash left from those of other processes. */
function markerIn(root: string): string {
  return join(root, 'handrail', 'moving')
}

/** How long to wait for a Git process that outlived the lake, in milliseconds. */
const MAX_WAIT = 1_000

/**
 * Removes the locks that a crash of the machine or of the container left while the lake moved its branch: they
 * would block every later commit. Call it once, before the first move.
 * @returns the names of the removed locks
 */
export async function removeStaleLocks({root}: ContentDirectory): Promise<string[]> {
  const marker = await identify(markerIn(root))
  if (marker === undefined) return []
  const branch = await readBranch(root)
  const locks = [
    'HEAD.lock',
    ...(branch === undefined ? [] : [`${branch}.lock`]),
    'reftable/tables.list.lock',
  ]
  const held = new Map<string, string>()
  for (const lock of locks) {
    const found = await identify(join(root, lock))
    if (found !== undefined && found.mtimeMs >= marker.mtimeMs) held.set(lock, found.id)
  }
  if (held.size > 0) await setTimeout(MAX_WAIT)
  const removed: string[] = []
  for (const [lock, id] of held) {
    if ((await identify(join(root, lock)))?.id !== id) continue
    await rm(join(root, lock), {force: true})
    removed.push(lock)
  }
  await rm(markerIn(root), {force: true})
  return removed
}

async function identify(file: string): Promise<{readonly id: string; readonly mtimeMs: number} | undefined> {
  const found = await stat(file).catch(() => undefined)
  return found && {id: `${found.ino} ${found.mtimeMs} ${found.size}`, mtimeMs: found.mtimeMs}
}
