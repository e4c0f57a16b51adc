import {accessSync, closeSync, constants, existsSync, openSync, statSync} from 'node:fs'
import {open} from 'node:fs/promises'
import {join} from 'node:path'
import {DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync} from 'node:sqlite'
import {pathToFileURL} from 'node:url'
import {errorCode} from '../../common/errorCode.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import {sqliteReason} from '../../git/sqliteReason.ts'
import {MIGRATIONS} from './migrations.ts'

/** Milliseconds to wait for a transaction of another process, such as a command. It takes a few milliseconds. */
const MAX_WAIT = 5_000

/** Bytes of the write-ahead log that are kept after a checkpoint. */
const MAX_LOG = 16 * 1024 * 1024

/**
 * The database cannot be read or written. `code` is that of a system error if the disk is the reason, or
 * `DAMAGED`. The message names no path.
 */
export class StateError extends Error {
  readonly code: string | undefined

  constructor(message: string, code?: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export type Row = Readonly<Record<string, SQLOutputValue>>

/**
 * The database of what a lake keeps outside of Git: drafts and their history, people, tokens and sessions, the
 * audit log, and how far webhooks are. A transaction is on disk when {@link State.transaction} returns, and what is
 * in the three files `state.db`, `state.db-wal` and `state.db-shm` at any moment is a consistent state.
 *
 * Commands may use it while a lake runs on the same machine; SQLite's locks keep their transactions apart.
 */
export class State {
  readonly path: string
  #database: DatabaseSync | undefined
  readonly #statements = new Map<string, StatementSync>()
  /** Names the file that is open, whatever has its path by now. */
  #file: string | undefined

  private constructor(path: string, open: () => DatabaseSync) {
    this.path = path
    this.#database = this.#guard(open)
    this.#file = fileAt(path)
  }

  /**
   * Opens the database in a folder, which exists, or creates it.
   * @throws StateError
   */
  static open(folder: string): State {
    const path = join(folder, 'state.db')
    return new State(path, () => {
      // It has password hashes: only its owner reads it, also in a repository that others may use. Never opened if it
      // exists: to close it would release the locks of this process (https://www.sqlite.org/howtocorrupt.html, 2.2).
      if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
      // SQLite opens a database that it cannot write, too.
      accessSync(path, constants.W_OK)
      return prepared(new DatabaseSync(path, {timeout: MAX_WAIT}))
    })
  }

  /**
   * Opens the database in a folder to read it, also on a disk that is full or read-only.
   * @throws StateError
   */
  static openReadOnly(folder: string): State {
    const path = join(folder, 'state.db')
    const url = pathToFileURL(path)
    // A lake that was closed leaves no log. To look for one, SQLite would create a file.
    if (!existsSync(`${path}-wal`)) url.searchParams.set('immutable', '1')
    return new State(path, () => checked(new DatabaseSync(url, {timeout: MAX_WAIT, readOnly: true})))
  }

  /** An empty database that is lost when it is closed. */
  static inMemory(): State {
    return new State(':memory:', () => prepared(new DatabaseSync(':memory:')))
  }

  /**
   * What happened to the file of the database, if it was moved, deleted or replaced: what is written would be lost at the
   * next start. Undefined if it is still there.
   */
  get loss(): string | undefined {
    return this.#database === undefined || this.#file === fileAt(this.path) ? undefined : LOST
  }

  /** Runs a statement, which is a transaction of its own outside of {@link transaction}. @throws StateError */
  run(sql: string, ...values: SQLInputValue[]): void {
    this.#guard(() => this.#statement(sql).run(...values))
  }

  /** The first row of a query. @throws StateError */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#guard(() => this.#statement(sql).get(...values))
  }

  /** The rows of a query. @throws StateError */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#guard(() => this.#statement(sql).all(...values))
  }

  /** Whether a transaction runs, so that what is written now belongs to it. */
  get isInTransaction(): boolean {
    return this.#database?.isTransaction === true
  }

  /**
   * Runs statements as one transaction, which no other process changes anything in. It is on disk when this returns. Inside of
   * another one, they are a part of that one.
   * @throws StateError, or what `work` throws; nothing is changed then
   */
  transaction<T>(work: () => T): T {
    if (this.isInTransaction) return work()
    const {loss} = this
    if (loss !== undefined) throw new StateError(loss)
    this.run('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.run('COMMIT')
      return result
    } catch (error) {
      // Some errors, such as a full disk, have rolled back already.
      if (this.#database?.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  /**
   * Writes a copy of the database, as it is at one moment, to a new file, while other processes use it. Only the owner of the
   * file may read it. It needs as much disk space as the database.
   * @throws StateError, or the error of the file system
   */
  async backUp(path: string): Promise<void> {
    // SQLite writes into an empty file, and so keeps its permissions.
    await (await open(path, 'wx', 0o600)).close()
    this.run('VACUUM INTO ?', path)
  }

  close(): void {
    this.#statements.clear()
    if (this.#database?.isOpen) this.#database.close()
    this.#database = undefined
  }

  #statement(sql: string): StatementSync {
    if (this.#database === undefined) throw new StateError('the database of the lake is closed')
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw translate(error, this.path)
    }
  }
}

const LOST =
  'the database of the lake (state.db) was moved, deleted or replaced: put it back, with state.db-wal, or restart the lake'

/** Names a file on this machine; undefined if there is none, or for a database in memory. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, {throwIfNoEntry: false})
  return found && `${found.dev} ${found.ino}`
}

/** Makes writes durable, and brings the tables up to date. */
function prepared(database: DatabaseSync): DatabaseSync {
  return closedOnError(database, () => {
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${MAX_LOG}`,
    )
    checked(database)
    if (versionOf(database) === MIGRATIONS.length) return
    database.exec('BEGIN IMMEDIATE')
    // Another process may have brought them up to date meanwhile.
    for (const migration of MIGRATIONS.slice(versionOf(database))) database.exec(migration)
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`)
  })
}

/** @throws StateError if the database is damaged, or has tables of another version */
function checked(database: DatabaseSync): DatabaseSync {
  return closedOnError(database, () => {
    const found = database.prepare('PRAGMA quick_check(1)').get()?.quick_check
    if (found !== 'ok') throw damaged(String(found))
    const version = versionOf(database)
    if (version > MIGRATIONS.length)
      throw new StateError(
        `the tables of the database (state.db) have version ${version}, and this lake knows them up to ${MIGRATIONS.length}: ` +
          'run the lake that wrote it, a later version or one from before 0.2.0, or restore a backup of this one',
      )
  })
}

function closedOnError(database: DatabaseSync, work: () => void): DatabaseSync {
  try {
    work()
    return database
  } catch (error) {
    if (database.isOpen) database.close()
    throw error
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

function damaged(reason: string, options?: ErrorOptions): StateError {
  const advice =
    'stop the lake and restore state.db from a backup, or recover it with "sqlite3 state.db .recover"'
  return new StateError(`the database of the lake is damaged (${reason}): ${advice}`, 'DAMAGED', options)
}

/** Gives an error of SQLite the code of the system error behind it. */
function translate(error: unknown, path: string): StateError {
  if (error instanceof StateError) return error
  const code = sqliteReason(error, path)
  const options = {cause: error}
  if (code === 'DAMAGED') return damaged(errorMessage(error), options)
  if (code === 'EBUSY')
    return new StateError('another process has locked the database of the lake for too long', code, options)
  return new StateError(errorMessage(error), code ?? errorCode(error), options)
}
