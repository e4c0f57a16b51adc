import {closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync} from 'node:fs'
import {dirname} from 'node:path'
import {DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync} from 'node:sqlite'
import {pathToFileURL} from 'node:url'
import {OWNER_ONLY} from '../common/atomicWrite.ts'

/** Milliseconds to wait for a transaction of another process with the same file. Requests wait as long. */
const MAX_WAIT = 200

/** https://www.sqlite.org/rescode.html: SQLITE_CORRUPT and SQLITE_NOTADB */
const DAMAGED: readonly number[] = [11, 26]

/** A crash of the process loses nothing that was written, one of the machine the last seconds. */
const TABLES = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS snapshots (
  id INTEGER PRIMARY KEY, origin TEXT NOT NULL, public_id TEXT NOT NULL, format TEXT NOT NULL, revision TEXT NOT NULL,
  validated_at INTEGER NOT NULL, size INTEGER NOT NULL, document BLOB NOT NULL,
  UNIQUE (origin, public_id)
);
CREATE INDEX IF NOT EXISTS snapshots_age ON snapshots (validated_at, size, origin, format);
CREATE TABLE IF NOT EXISTS calls (
  site TEXT NOT NULL, hour INTEGER NOT NULL, tool TEXT NOT NULL, key TEXT NOT NULL, number INTEGER NOT NULL,
  PRIMARY KEY (site, hour, tool, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS calls_hour ON calls (hour);
CREATE TABLE IF NOT EXISTS snippets (hash TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS begun (at INTEGER NOT NULL);
INSERT INTO begun SELECT unixepoch() * 1000 WHERE NOT EXISTS (SELECT 1 FROM begun);`

/** What the rows of each table are stored by. */
const ORDERS = {snapshots: 'id', calls: 'site', snippets: 'rowid', begun: 'rowid'}

const FILES = ['', '-wal', '-shm']

export type Row = Readonly<Record<string, SQLOutputValue>>

/** Runs a statement, and returns its rows. */
type Run = (sql: string, ...values: readonly SQLInputValue[]) => Row[]

/**
 * What a replica keeps on disk: snapshots of sites, builds of the snippet, and, without Redis, counts of calls and visits. The file is created with the first write, and
 * replaced if it is damaged or of another version: the new one gets the rows that can be read, which may take seconds. Statements take milliseconds at most.
 */
export class ReplicaDatabase {
  readonly path: string
  readonly #onReplaced: (error: unknown) => void
  readonly #statements = new Map<string, StatementSync>()
  #database: DatabaseSync | undefined
  /** Whether it could be opened for reading only: the disk is full or read-only. */
  #isReadOnly = false

  constructor(path: string, onReplaced: (error: unknown) => void = () => {}) {
    this.path = path
    this.#onReplaced = onReplaced
  }

  /** The rows of a statement: none before there is a database, and from an empty one if this one is damaged. */
  rows(sql: string, ...values: readonly SQLInputValue[]): Row[] {
    if (this.#database === undefined && !existsSync(this.path)) return []
    return this.#undamaged(() => this.#prepared(sql).all(...values))
  }

  /** Runs a step in a transaction, and once more if that finds the database damaged. */
  write(step: (run: Run) => void): void {
    if (this.#isReadOnly) this.close()
    this.#undamaged(() => this.#transaction(step))
  }

  #transaction(step: (run: Run) => void): void {
    const database = this.#open()
    database.exec('BEGIN IMMEDIATE')
    try {
      step((sql, ...values) => this.#prepared(sql).all(...values))
      database.exec('COMMIT')
    } catch (error) {
      if (database.isOpen && database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  close(): void {
    this.#statements.clear()
    this.#database?.close()
    this.#database = undefined
    this.#isReadOnly = false
  }

  #undamaged<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      this.#replaceIfDamaged(error)
      return work()
    }
  }

  /** SQLite finds damage when it reads the damaged part. @throws any other error */
  #replaceIfDamaged(error: unknown): void {
    if (!isDamage(error)) throw error
    this.close()
    const damaged = `${this.path}-damaged`
    for (const suffix of FILES) {
      rmSync(damaged + suffix, {force: true})
      if (existsSync(this.path + suffix)) renameSync(this.path + suffix, damaged + suffix)
    }
    try {
      this.#transaction((run) => copyReadable(damaged, run))
    } finally {
      for (const suffix of FILES) rmSync(damaged + suffix, {force: true})
    }
    this.#onReplaced(error)
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#open().prepare(sql)
    this.#statements.set(sql, known)
    return known
  }

  #open(): DatabaseSync {
    this.#database ??= this.#opened()
    return this.#database
  }

  #opened(): DatabaseSync {
    const exists = existsSync(this.path)
    try {
      mkdirSync(dirname(this.path), {recursive: true, mode: OWNER_ONLY})
      // Never opened if it exists: to close it would release the locks of this process (https://www.sqlite.org/howtocorrupt.html, 2.2).
      if (!exists) closeSync(openSync(this.path, 'a', 0o600))
      const database = opened(this.path, TABLES)
      if (schemaOf(database) === schemaOf(opened(':memory:', TABLES))) return database
      database.close()
      throw new OtherVersion('Its tables are those of another version.')
    } catch (error) {
      if (!exists || isDamage(error)) throw error
      this.#isReadOnly = true
      return readable(this.path, error)
    }
  }
}

class OtherVersion extends Error {}

function isDamage(error: unknown): boolean {
  if (error instanceof OtherVersion) return true
  // The low byte of a code is its kind.
  return error instanceof Error && 'errcode' in error && DAMAGED.includes(Number(error.errcode) & 0xff)
}

function schemaOf(database: DatabaseSync): string {
  return JSON.stringify(database.prepare('SELECT sql FROM sqlite_schema ORDER BY name').all())
}

/** Copies the rows before the damaged page of a table, and those after it. A table of another version may lack columns: it is left out. */
function copyReadable(path: string, run: Run): void {
  const source = new DatabaseSync(path, {readOnly: true})
  for (const [table, order] of Object.entries(ORDERS)) {
    const columns = run(`SELECT name FROM pragma_table_info('${table}')`).map(({name}) => name)
    const add = `INSERT OR IGNORE INTO ${table} VALUES (${columns.map(() => '?').join()})`
    for (const direction of ['ASC', 'DESC'])
      try {
        const read = `SELECT ${columns.join()} FROM ${table} NOT INDEXED ORDER BY ${order} ${direction}`
        for (const row of source.prepare(read).iterate()) run(add, ...Object.values(row))
        break
      } catch {
        // From the other end, then.
      }
  }
  source.close()
}

/** Opens a database that cannot be written. Without the files of an open one, it is read as one that nothing changes (https://www.sqlite.org/wal.html). */
function readable(path: string, error: unknown): DatabaseSync {
  const immutable = pathToFileURL(path)
  immutable.search = 'immutable=1'
  for (const from of [path, immutable])
    try {
      return opened(from, 'SELECT 1 FROM snapshots', true)
    } catch {
      // The next way, or why it cannot be written.
    }
  throw error
}

function opened(path: string | URL, sql: string, readOnly = false): DatabaseSync {
  const database = new DatabaseSync(path, {timeout: MAX_WAIT, readOnly})
  try {
    database.exec(sql)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
