import {DatabaseSync} from 'node:sqlite'
import {setTimeout} from 'node:timers/promises'

/** Milliseconds to wait for the lock. A change of the credentials takes a few milliseconds. */
const MAX_WAIT = 5_000
const RETRY_EVERY = 20

/** https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5

/** Another process kept the lock for the whole wait. */
export class LockTimeout extends Error {}

/**
 * Runs work while it holds an exclusive lock on a file. The lock is shared by all processes on this machine.
 *
 * Node has no `flock`, but its SQLite locks files. The kernel releases such a lock when the process ends,
 * however it ends, so a lock can never be stale. https://www.sqlite.org/lockingv3.html
 * @param path the lock file; it is never deleted and stays empty
 * @throws LockTimeout, an SQLite error if the file cannot be created, or what `work` throws
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, wait = MAX_WAIT): Promise<T> {
  const lock = new DatabaseSync(path, {timeout: 0})
  try {
    const deadline = performance.now() + wait
    while (!tryLock(lock)) {
      if (performance.now() > deadline) throw new LockTimeout(`${path} is locked by another process`)
      await setTimeout(RETRY_EVERY)
    }
    return await work()
  } finally {
    lock.close()
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    // With the journal in memory, SQLite creates no second file.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

/** The low byte of an extended result code is the primary one. */
function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === SQLITE_BUSY
  )
}
