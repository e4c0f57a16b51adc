import {constants, existsSync} from 'node:fs'
import {access, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {errorMessage} from '../../common/errorMessage.ts'
import {sqliteReason} from '../sqliteReason.ts'
import {openStateFolder} from '../stateFolder.ts'

/** The exclusive right of this process to write to a repository. */
export type RepositoryLock = {
  /** Releases the lock. */
  release(): void
}

/**
 * Takes the lock of a repository for this process.
 *
 * Node has no `flock`, but its SQLite locks files. The kernel releases such a lock when the process ends, however it ends:
 * a lock can neither be stale nor be lost. https://www.sqlite.org/lockingv3.html
 * @throws Error with one line if another process writes to the repository, or this one cannot
 */
export async function acquireLock(gitDir: string): Promise<RepositoryLock> {
  const path = join(gitDir, 'handrail', 'lake.lock')
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
    throw new Error(
      'the content repository is in use by another lake or command: stop it, or use another CONTENT_DIR',
    )
  }
  const locked = database
  return {release: () => locked.close()}
}
