import {constants, type Stats} from 'node:fs'
import {copyFile, type FileHandle, link, open, readFile, rename, rm, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {fileModeIn} from '../../common/atomicWrite.ts'
import {errorCode} from '../../common/errorCode.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import {openStateFolder} from '../stateFolder.ts'
import {Heartbeat, type RepositoryLock} from './heartbeat.ts'
import {describeOwner, ownerState, parseLockOwner, thisProcess} from './lockOwner.ts'

export type {RepositoryLock}

/** Another process writes to the repository, or this one cannot. The message is one line. */
export class LockError extends Error {}

export type LockOptions = {
  /** Milliseconds between heartbeats. */
  readonly beat?: number
  /** Milliseconds without a heartbeat after which a holder whose process cannot be checked counts as dead. */
  readonly maxSilence?: number
  /** Called once if it takes a while to find out whether the holder is alive. */
  readonly onWait?: (holder: string) => void
  /** Called once if another process has taken over the repository. */
  readonly onLost?: () => void
}

type Found = {readonly text: string; readonly stats: Stats}

/**
 * Takes the repository lock for this process. The lock of a live holder is respected. The lock of a dead one
 * is taken over: at once if its process can be checked (same host and PID namespace), else after `maxSilence`
 * without a heartbeat.
 * @param who names this program in the error of a process that finds the repository locked
 * @throws LockError
 */
export async function acquireLock(
  gitDir: string,
  who: string,
  {beat = 2_000, maxSilence = 10_000, onWait = () => {}, onLost = () => {}}: LockOptions = {},
): Promise<RepositoryLock> {
  const own = join(gitDir, 'handrail')
  const file = join(own, 'lock')
  const holder = await thisProcess(who)
  const text = `${JSON.stringify(holder, null, 2)}\n`
  // Written to a temporary file first, so that the lock file never exists without its holder's name.
  const temporary = join(own, `lock-${holder.token}`)
  let handle: FileHandle | undefined
  try {
    await openStateFolder(gitDir)
    handle = await open(temporary, 'wx', await fileModeIn(own))
    await handle.writeFile(text)
    const started = performance.now()
    const clock = (await handle.stat()).mtimeMs
    /** The time by the clock of the file system, which all heartbeats use. */
    const now = () => clock + performance.now() - started
    for (let waited = false; !(await create(temporary, file)); ) {
      const found = await look(file)
      if (found === undefined) continue
      const state = await ownerState(parseLockOwner(found.text))
      if (state === 'alive') throw refusal(found.text)
      if (state === 'dead' || now() - found.stats.mtimeMs > maxSilence) {
        if (await succeed(temporary, file, found.text, now() - maxSilence)) break
        continue
      }
      if (!waited) onWait(describeOwner(parseLockOwner(found.text)))
      waited = true
      const last = Math.max(0, found.stats.mtimeMs + maxSilence - now())
      await new Promise((resolve) => setTimeout(resolve, Math.min(beat / 4, last + 1)))
      const next = await look(file)
      if (next?.text === found.text && next.stats.mtimeMs > found.stats.mtimeMs) throw refusal(found.text)
    }
    return new Heartbeat({file, text, handle: await open(file, 'r+'), beat, maxSilence, onLost})
  } catch (error) {
    if (error instanceof LockError) throw error
    const reason = errorMessage(error)
    throw new LockError(`the content repository cannot be locked: ${reason}`, {cause: error})
  } finally {
    await handle?.close()
    await rm(temporary, {force: true}).catch(() => {})
  }
}

/**
 * Checks whether another process holds a repository that this one cannot lock.
 * @throws LockError if the holder is alive
 */
export async function refuseWhileHeld(
  gitDir: string,
  {beat = 2_000, maxSilence = 10_000, onWait = () => {}}: LockOptions,
): Promise<void> {
  const file = join(gitDir, 'handrail', 'lock')
  const found = await look(file)
  if (found === undefined) return
  const state = await ownerState(parseLockOwner(found.text))
  if (state === 'dead') return
  if (state === 'alive') throw refusal(found.text)
  onWait(describeOwner(parseLockOwner(found.text)))
  // The clock of the file system is unknown here: only a heartbeat shows that the holder is alive.
  for (const started = performance.now(); performance.now() - started < maxSilence; ) {
    await new Promise((resolve) => setTimeout(resolve, beat / 4))
    const next = await look(file)
    if (next !== undefined && next.stats.mtimeMs !== found.stats.mtimeMs) throw refusal(next.text)
  }
}

/** Links the prepared file to its final name unless that exists; both names stay. */
async function create(temporary: string, file: string): Promise<boolean> {
  try {
    await link(temporary, file)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error) ?? '')) throw error
  }
  // Some file systems have no hard links.
  return copyFile(temporary, file, constants.COPYFILE_EXCL).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) === 'EEXIST') return false
      throw error
    },
  )
}

async function look(file: string): Promise<Found | undefined> {
  try {
    return {stats: await stat(file), text: await readFile(file, 'utf8')}
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Replaces the lock of a dead holder. Several processes may try: a claim lets one at a time check that the
 * lock still belongs to that holder.
 * @param abandoned when a claim counts as left by a crash, by the clock of the file system
 */
async function succeed(temporary: string, file: string, dead: string, abandoned: number): Promise<boolean> {
  const claim = `${file}.claim`
  if (!(await create(temporary, claim))) {
    const claimed = await look(claim)
    if (claimed !== undefined && claimed.stats.mtimeMs < abandoned) await rm(claim, {force: true})
    else await new Promise((resolve) => setTimeout(resolve, 10))
    return false
  }
  try {
    if ((await look(file))?.text !== dead) return false
    await rename(temporary, file)
    return true
  } finally {
    await rm(claim, {force: true})
  }
}

function refusal(text: string): LockError {
  return new LockError(
    `the content repository is in use by ${describeOwner(parseLockOwner(text))}: stop it, or use another CONTENT_DIR`,
  )
}
