import {constants, existsSync} from 'node:fs'
import {access, readFile, rm, writeFile} from 'node:fs/promises'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {errorMessage} from '../../common/errorMessage.ts'
import {plainLine} from '../plainLine.ts'
import {sqliteReason} from '../sqliteReason.ts'
import {openStateFolder} from '../stateFolder.ts'

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
 * @throws Error with one line if another process writes to the repository, or this one cannot
 */
export async function acquireLock(gitDir: string, who: string): Promise<RepositoryLock> {
  const path = join(gitDir, 'handrail', 'lake.lock')
  const holder = join(gitDir, 'handrail', 'lake.holder')
  let database: DatabaseSync | undefined
  try {
    await openStateFolder(gitDir)
    // Never opened if it exists: to close it would release a lock of this process.
    if (!existsSync(path)) await writeFile(path, '', {mode: 0o600, flag: 'a'})
    // SQLite opens a file that it cannot write, too.
    await access(path, constants.W_OK)
    database = new DatabaseSync(path, {timeout: 0})
    // With the journal in memory, SQLite creates no second file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database?.close()
    if (sqliteReason(error, path) !== 'EBUSY')
      throw new Error(`the content repository cannot be locked: ${errorMessage(error)}`, {cause: error})
    const found = await readFile(holder, 'utf8').catch(() => 'an unknown process')
    throw new Error(
      `the content repository is in use by ${plainLine(found)}: stop it, or use another CONTENT_DIR`,
    )
  }
  const locked = database
  const text = `${who} (process ${process.pid} on ${hostname()}, since ${new Date().toISOString()})`
  // Only for messages, so a full disk does not matter.
  await writeFile(holder, text, {mode: 0o600}).catch(() => {})
  return {
    release: async () => {
      await rm(holder, {force: true}).catch(() => {})
      locked.close()
    },
  }
}
