import {constants, existsSync, statSync} from 'node:fs'
import {access, readFile, rm, stat, writeFile} from 'node:fs/promises'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {setTimeout} from 'node:timers/promises'
import {ensureDirectory, fileModeIn} from '../../common/atomicWrite.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import {isJsonObject} from '../../common/json.ts'
import {openStateFolder} from '../stateFolder.ts'
import {sqliteReason} from './sqliteReason.ts'

/** Another process writes to the repository, or this one cannot. The message is one line. */
export class LockError extends Error {}

/** The exclusive right of this process to write to a repository. */
export type RepositoryLock = {
  /** Releases the lock. */
  release(): Promise<void>
}

/**
 * Milliseconds in which a lake of version 0.1 shows that it is alive: it wrote its lock file every two seconds.
 */
const HEARTBEAT = 5_000

/**
 * Takes the lock of a repository for this process.
 *
 * Node has no `flock`, but its SQLite locks files. The kernel releases such a lock when the process ends, however it ends:
 * a lock can neither be stale nor be lost. https://www.sqlite.org/lockingv3.html
 * @param who names this program in the error of a process that finds the repository locked
 * @param heartbeat milliseconds to wait for a sign of life of an earlier version's lake
 * @throws LockError
 */
export async function acquireLock(
  gitDir: string,
  who: string,
  heartbeat = HEARTBEAT,
): Promise<RepositoryLock> {
  const path = join(gitDir, 'handrail', 'lake.lock')
  const earlier = join(gitDir, 'handrail', 'lock')
  const holder = join(earlier, 'holder')
  try {
    const mode = await fileModeIn(await openStateFolder(gitDir))
    // Never opened if it exists: to close it would release a lock of this process.
    if (!existsSync(path)) await writeFile(path, '', {mode, flag: 'a'})
    // SQLite opens a file that it cannot write, too.
    await access(path, constants.W_OK)
    const database = new DatabaseSync(path, {timeout: 0})
    try {
      // With the journal in memory, SQLite creates no second file.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
      await refuseEarlierLake(earlier, heartbeat)
    } catch (error) {
      database.close()
      throw error
    }
    const text = JSON.stringify({who, pid: process.pid, host: hostname(), since: new Date().toISOString()})
    // A full disk does not matter.
    await writeHolder(earlier, holder, `${text}\n`, mode).catch(() => {})
    return {
      release: async () => {
        await rm(holder, {force: true}).catch(() => {})
        database.close()
      },
    }
  } catch (error) {
    if (error instanceof LockError) throw error
    const code = sqliteReason(error, path)
    if (code === 'EBUSY') throw refusal(await readHolder(holder))
    const message = `the content repository cannot be locked: ${errorMessage(error)}`
    throw new LockError(message, {
      cause: code === undefined ? error : Object.assign(new Error(message), {code}),
    })
  }
}

/**
 * Names this process in messages. The file is in a folder where version 0.1 had its lock file, so that a lake of that version, which
 * would know nothing of the database, cannot start.
 */
async function writeHolder(folder: string, holder: string, text: string, mode: number): Promise<void> {
  if (statSync(folder, {throwIfNoEntry: false})?.isFile()) await rm(folder)
  // Who may read the file may open the folder.
  await ensureDirectory(folder, mode | ((mode & 0o444) >> 2))
  await writeFile(holder, text, {mode})
}

/** Version 0.1 had a lock file that its lake wrote again and again. The time of the file system may be another machine's. */
async function refuseEarlierLake(holder: string, heartbeat: number): Promise<void> {
  if (!('token' in (await readHolder(holder)))) return
  const timeOf = async () => (await stat(holder).catch(() => undefined))?.mtimeMs
  const found = await timeOf()
  for (const started = performance.now(); performance.now() - started < heartbeat; ) {
    await setTimeout(Math.min(100, heartbeat))
    const now = await timeOf()
    if (now === undefined) return
    if (now !== found) throw refusal(await readHolder(holder))
  }
}

async function readHolder(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

function refusal({who, pid, host, since}: Readonly<Record<string, unknown>>): LockError {
  const holder =
    typeof who === 'string' ? `${who} (process ${pid} on ${host}, since ${since})` : 'an unknown process'
  return new LockError(`the content repository is in use by ${holder}: stop it, or use another CONTENT_DIR`)
}
