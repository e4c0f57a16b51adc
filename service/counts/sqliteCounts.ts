import {closeSync, existsSync, mkdirSync, openSync, rmSync} from 'node:fs'
import {dirname} from 'node:path'
import {DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync} from 'node:sqlite'
import {setImmediate} from 'node:timers/promises'
import {OWNER_ONLY} from '../../common/atomicWrite.ts'
import {DURATION_BOUNDS, OUTCOMES} from '../../schemas/calls/counts.ts'
import {
  type Batch,
  type CallCounts,
  type CountsStore,
  type ErrorCounts,
  HOUR,
  MAX_READ,
  type StoredCalls,
  type VisitTimes,
} from './store.ts'

/** Milliseconds to wait for a transaction of another process with the same file. Requests wait as long. */
const MAX_WAIT = 200

/** Hours that are read at a time, and rows that are written or removed. Configs are served in between. */
const HOURS_AT_ONCE = 24
const ROWS_AT_ONCE = 500

/** Maximum size of the file, in bytes. Beyond it, the oldest calls of the site that has most of them are removed. */
const MAX_BYTES = 256 * 2 ** 20

/** https://www.sqlite.org/rescode.html: SQLITE_CORRUPT and SQLITE_NOTADB */
const DAMAGED: readonly number[] = [11, 26]

const DURATIONS = [...DURATION_BOUNDS, 0].map((_bound, bucket) => `d${bucket}`)

const TABLES = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS tools (id INTEGER PRIMARY KEY, site TEXT NOT NULL, tool TEXT NOT NULL, UNIQUE (site, tool));
CREATE TABLE IF NOT EXISTS calls (
  tool INTEGER NOT NULL, hour INTEGER NOT NULL, outcome TEXT NOT NULL,
  ${DURATIONS.map((column) => `${column} INTEGER NOT NULL`).join(', ')},
  PRIMARY KEY (tool, hour, outcome)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS calls_hour ON calls (hour);
CREATE TABLE IF NOT EXISTS errors (
  tool INTEGER NOT NULL, hour INTEGER NOT NULL, hash TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (tool, hour, hash)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS errors_hour ON errors (hour);
CREATE TABLE IF NOT EXISTS visits (site TEXT NOT NULL, tool TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (site, tool)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS gone (site TEXT PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS begun (at INTEGER NOT NULL);
INSERT INTO begun SELECT unixepoch() * 1000 WHERE NOT EXISTS (SELECT 1 FROM begun);`

const ADD_TOOL = 'INSERT INTO tools (site, tool) VALUES (?, ?) ON CONFLICT DO UPDATE SET id = id RETURNING id'
const ADD_CALLS = `INSERT INTO calls VALUES (?, ?, ?, ${DURATIONS.map(() => '?').join(', ')})
  ON CONFLICT DO UPDATE SET ${DURATIONS.map((column) => `${column} = ${column} + excluded.${column}`).join(', ')}`
const ADD_ERRORS =
  'INSERT INTO errors VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count'
const ADD_VISIT = 'INSERT INTO visits VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)'
const OF_SITE =
  'JOIN tools ON tools.id = rows.tool WHERE site = ? AND hour >= ? AND hour < ? ORDER BY hour DESC LIMIT ?'
const READ_CALLS = `SELECT rows.*, tools.tool AS document FROM calls AS rows ${OF_SITE}`
const READ_ERRORS = `SELECT hour, hash, count, tools.tool AS document FROM errors AS rows ${OF_SITE}`
const QUIET_SITES = `SELECT site FROM tools UNION SELECT site FROM visits
  EXCEPT SELECT site FROM calls AS rows JOIN tools ON tools.id = rows.tool WHERE hour >= ?
  EXCEPT SELECT site FROM visits WHERE at >= ?`
const SIZE_OF_TOOL = `SELECT count(*) AS size, min(hour) AS oldest, max(hour) AS newest
  FROM (SELECT hour FROM calls WHERE tool = ?1 UNION ALL SELECT hour FROM errors WHERE tool = ?1)`
const REMOVE_UNUSED = `DELETE FROM tools WHERE NOT EXISTS (SELECT 1 FROM calls WHERE tool = id)
  AND NOT EXISTS (SELECT 1 FROM errors WHERE tool = id)`
/** The primary keys. */
const KEYS = {calls: 'tool, hour, outcome', errors: 'tool, hour, hash'}

type SqliteCountsOptions = {
  readonly path: string
  /** Identifies the content: project, dataset and lake. */
  readonly origin: string
  /** Called when a damaged database is replaced. */
  readonly onReplaced?: (error: unknown) => void
  /** See `MAX_BYTES`. */
  readonly maxBytes?: number
}

/**
 * Calls and visits in a database of this replica, which is created with the first one. Its methods take milliseconds
 * at a time. A damaged database is replaced.
 */
export class SqliteCounts implements CountsStore {
  readonly #options: SqliteCountsOptions
  #database: DatabaseSync | undefined
  readonly #statements = new Map<string, StatementSync>()
  #isClosed = false

  constructor(options: SqliteCountsOptions) {
    this.#options = options
  }

  async add({sites}: Batch): Promise<void> {
    try {
      await this.#addAll(sites)
    } catch (error) {
      this.#replaceIfDamaged(error)
      await this.#addAll(sites)
    }
  }

  async read(publicId: string, since: number): Promise<StoredCalls> {
    const calls: CallCounts[] = []
    const errors: ErrorCounts[] = []
    const [newest] = this.#undamaged('SELECT max(hour) AS hour FROM calls')
    for (let before = Number(newest?.hour ?? -1) + 1; before > since; before -= HOURS_AT_ONCE) {
      const of = [this.#siteOf(publicId), Math.max(since, before - HOURS_AT_ONCE), before] as const
      calls.push(...this.#undamaged(READ_CALLS, ...of, MAX_READ - calls.length).flatMap(toCalls))
      errors.push(...this.#undamaged(READ_ERRORS, ...of, MAX_READ - errors.length).map(toErrors))
      await setImmediate()
    }
    const [begun] = this.#undamaged('SELECT at FROM begun')
    return {calls, errors, ...(begun && {since: Number(begun.at)})}
  }

  async visitsOf(publicId: string): Promise<VisitTimes> {
    const rows = this.#undamaged('SELECT tool, at FROM visits WHERE site = ?', this.#siteOf(publicId))
    return new Map(rows.map(({tool, at}) => [String(tool), Number(at)]))
  }

  async quietSites(since: number): Promise<string[]> {
    return this.#undamaged(QUIET_SITES, since, since * HOUR).flatMap(({site}) => this.#publicIdOf(site))
  }

  async goneSites(): Promise<ReadonlyMap<string, number>> {
    const rows = this.#undamaged('SELECT site, since FROM gone')
    return new Map(
      rows.flatMap(({site, since}) => this.#publicIdOf(site).map((publicId) => [publicId, Number(since)])),
    )
  }

  async setGone(publicId: string, since: number | undefined): Promise<void> {
    const site = this.#siteOf(publicId)
    if (since === undefined) this.#undamaged('DELETE FROM gone WHERE site = ?', site)
    else this.#undamaged('INSERT OR REPLACE INTO gone VALUES (?, ?)', site, since)
  }

  async remove(publicId: string): Promise<void> {
    await this.setGone(publicId, undefined)
    this.#undamaged('DELETE FROM visits WHERE site = ?', this.#siteOf(publicId))
    await this.#removeUntil(this.#siteOf(publicId), Number.MAX_SAFE_INTEGER)
  }

  async prune(before: number): Promise<void> {
    await this.#removeWhere('hour < ?', before)
    this.#undamaged('DELETE FROM visits WHERE at < ?', before * HOUR)
    while (this.#bytes() > (this.#options.maxBytes ?? MAX_BYTES)) {
      const largest = await this.#largest()
      if (largest === undefined) return
      await this.#removeUntil(largest.site, Math.floor((largest.oldest + largest.newest) / 2))
    }
  }

  close(): void {
    this.#isClosed = true
    this.#closeDatabase()
  }

  #closeDatabase(): void {
    this.#statements.clear()
    this.#database?.close()
    this.#database = undefined
  }

  async #addAll(sites: Batch['sites']): Promise<void> {
    const database = this.#open()
    database.exec('BEGIN IMMEDIATE')
    try {
      let rows = 0
      const pause = async () => {
        rows += 1
        if (rows % ROWS_AT_ONCE === 0) await setImmediate()
      }
      for (const {publicId, calls, errors, visits} of sites) {
        const ids = new Map<string, SQLInputValue>()
        const idOf = (tool: string) => {
          const id = ids.get(tool) ?? this.#prepared(ADD_TOOL).get(this.#siteOf(publicId), tool)?.id ?? null
          ids.set(tool, id)
          return id
        }
        for (const {hour, tool, outcome, durations} of calls) {
          this.#prepared(ADD_CALLS).run(idOf(tool), hour, outcome, ...durations)
          await pause()
        }
        for (const {hour, tool, hash, count} of errors) {
          this.#prepared(ADD_ERRORS).run(idOf(tool), hour, hash, count)
          await pause()
        }
        for (const [tool, at] of visits) {
          this.#prepared(ADD_VISIT).run(this.#siteOf(publicId), tool, at)
          await pause()
        }
      }
      database.exec('COMMIT')
    } catch (error) {
      if (database.isOpen && database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  /** The site with most rows. */
  async #largest(): Promise<SiteSize | undefined> {
    const sites = new Map<string, SiteSize>()
    for (const {id, site} of this.#undamaged('SELECT id, site FROM tools')) {
      if (this.#isClosed) return undefined
      const [row] = this.#undamaged(SIZE_OF_TOOL, id ?? null)
      const name = String(site)
      const known = sites.get(name)
      if (row === undefined || row.size === 0) continue
      sites.set(name, {
        site: name,
        size: Number(row.size) + (known?.size ?? 0),
        oldest: Math.min(Number(row.oldest), known?.oldest ?? Number.POSITIVE_INFINITY),
        newest: Math.max(Number(row.newest), known?.newest ?? 0),
      })
      await setImmediate()
    }
    return [...sites.values()].sort((a, b) => b.size - a.size)[0]
  }

  async #removeUntil(site: string, hour: number): Promise<void> {
    await this.#removeWhere('tool IN (SELECT id FROM tools WHERE site = ?) AND hour <= ?', site, hour)
  }

  async #removeWhere(condition: string, ...values: readonly SQLInputValue[]): Promise<void> {
    for (const [table, key] of Object.entries(KEYS)) {
      const some = `SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${ROWS_AT_ONCE}`
      const sql = `DELETE FROM ${table} WHERE (${key}) IN (${some}) RETURNING 1`
      while (!this.#isClosed && this.#undamaged(sql, ...values).length > 0) await setImmediate()
    }
    if (!this.#isClosed) this.#undamaged(REMOVE_UNUSED)
  }

  /** Bytes in use. What was deleted stays in the file, and is used again. */
  #bytes(): number {
    const number = (name: string) => Number(Object.values(this.#undamaged(`PRAGMA ${name}`)[0] ?? {})[0])
    return (number('page_count') - number('freelist_count')) * number('page_size')
  }

  #siteOf(publicId: string): string {
    return `${this.#options.origin} ${publicId}`
  }

  /** None if the site is one of other content. */
  #publicIdOf(site: SQLOutputValue | undefined): string[] {
    const own = this.#siteOf('')
    return String(site).startsWith(own) ? [String(site).slice(own.length)] : []
  }

  /** The rows of a statement: none before there is a database, and from an empty one if this one is damaged. */
  #undamaged(sql: string, ...values: readonly SQLInputValue[]): Row[] {
    if (this.#database === undefined && !existsSync(this.#options.path)) return []
    try {
      return this.#prepared(sql).all(...values)
    } catch (error) {
      this.#replaceIfDamaged(error)
      return this.#prepared(sql).all(...values)
    }
  }

  /** SQLite finds damage when it reads the damaged part. @throws any other error */
  #replaceIfDamaged(error: unknown): void {
    if (!isDamage(error)) throw error
    this.#closeDatabase()
    for (const suffix of ['', '-wal', '-shm']) rmSync(this.#options.path + suffix, {force: true})
    this.#options.onReplaced?.(error)
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#open().prepare(sql)
    this.#statements.set(sql, known)
    return known
  }

  #open(): DatabaseSync {
    this.#database ??= open(this.#options.path)
    return this.#database
  }
}

/** The low byte of a code is its kind. */
function isDamage(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && DAMAGED.includes(Number(error.errcode) & 0xff)
}

type SiteSize = {
  readonly site: string
  /** The number of rows. */
  readonly size: number
  /** Hours since 1970. */
  readonly oldest: number
  readonly newest: number
}

type Row = Readonly<Record<string, SQLOutputValue>>

function toCalls(row: Row): CallCounts[] {
  // A later version may know others.
  const outcome = OUTCOMES.find((one) => one === row.outcome)
  if (outcome === undefined) return []
  const durations = DURATIONS.map((column) => Number(row[column]))
  return [{hour: Number(row.hour), tool: String(row.document), outcome, durations}]
}

function toErrors({hour, document, hash, count}: Row): ErrorCounts {
  return {hour: Number(hour), tool: String(document), hash: String(hash), count: Number(count)}
}

function open(path: string): DatabaseSync {
  mkdirSync(dirname(path), {recursive: true, mode: OWNER_ONLY})
  // Never opened if it exists: to close it would release the locks of this process (https://www.sqlite.org/howtocorrupt.html, 2.2).
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const database = new DatabaseSync(path, {timeout: MAX_WAIT})
  try {
    database.exec(TABLES)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
