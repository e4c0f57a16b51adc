import {constants, existsSync} from 'node:fs'
import {access, readFile, rm, writeFile} from 'node:fs/promises'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {errorMessage} from '../../common/errorMessage.ts'
import {isJsonObject} from '../../common/json.ts'
import {sqliteReason} from '../../common/sqliteReason.ts'
import {openStateFolder} from '../stateFolder.ts'

/** Another process writes to the repository, or this one cannot. The message is one line. */
export class LockError extends Error {}

/** The exclusive right of this process to write to a repository. */
export type RepositoryLock = {
  /** Releases the lock. */
  release(): Promise<void>
}

/**
 * Takes the lock of a repository for this process.
 *
 * Node has no `flock`, but its SQLite locks files. The kernel releases such a lock when the process ends, however it ends:
 * a lock can neither be stale nor be lost. https://www.sqlite.org/lockingv3.html
 * @param who names this program in the error of a process that finds the repository locked
 * @throws LockError
 */
export async function acquireLock(gitDir: string, who: string): Promise<RepositoryLock> {
  const path = join(gitDir, 'handrail', 'lake.lock')
  const holder = join(gitDir, 'handrail', 'lake.holder')
  try {
    await openStateFolder(gitDir)
    // Never opened if it exists: to close it would release a lock of this process.
    if (!existsSync(path)) await writeFile(path, '', {mode: 0o600, flag: 'a'})
    // SQLite opens a file that it cannot write, too.
    await access(path, constants.W_OK)
    const database = new DatabaseSync(path, {timeout: 0})
    try {
      // With the journal in memory, SQLite creates no second file.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    } catch (error) {
      database.close()
      throw error
    }
    const text = JSON.stringify({who, pid: process.pid, host: hostname(), since: new Date().toISOString()})
    // Only for messages, so a full disk does not matter.
    await writeFile(holder, `${text}\n`, {mode: 0o600}).catch(() => {})
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
