import {setImmediate} from 'node:timers/promises'
import type {ReplicaDatabase} from '../database.ts'
import {type Count, type CountsStore, HOUR, KEPT_HOURS, MAX_READ, type StoredCounts, VISIT} from './store.ts'

/** Hours that are read at a time, and rows that are removed. Configs are served in between. */
const HOURS_AT_ONCE = 24
const ROWS_AT_ONCE = 500

/** Maximum size in bytes. Beyond it, the oldest counts are removed. */
const MAX_BYTES = 256 * 2 ** 20

const ADD = `INSERT INTO calls VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
  SET number = iif(hour = ${VISIT.hour}, excluded.number, number + excluded.number)`
const REMOVE_VISITS = `DELETE FROM calls WHERE hour = ${VISIT.hour} AND number < ?`
const READ = `SELECT hour, tool, key, number FROM calls
  WHERE site = ? AND hour >= ? AND hour < ? ORDER BY hour DESC LIMIT ?`
const REMOVE = `DELETE FROM calls WHERE (site, hour, tool, key) IN
  (SELECT site, hour, tool, key FROM calls WHERE hour > ${VISIT.hour} AND hour <= ? LIMIT ${ROWS_AT_ONCE}) RETURNING 1`
/** The newest count or visit until an hour. */
const NEWEST = `SELECT max(hour) AS hour FROM (SELECT max(hour) AS hour FROM calls WHERE hour <= ?1
  UNION SELECT max(number) / ${HOUR} FROM calls WHERE hour = ${VISIT.hour} AND number <= ?1 * ${HOUR})`
const OLDEST = 'SELECT min(hour) AS hour FROM calls WHERE hour > ?'
/** What was deleted stays in the file, and is used again. */
const BYTES = `SELECT (page_count - freelist_count) * page_size - (SELECT ifnull(sum(size), 0) FROM snapshots) AS bytes
  FROM pragma_page_count, pragma_freelist_count, pragma_page_size`

type SqliteCountsOptions = {
  readonly database: ReplicaDatabase
  /** Identifies the content: project, dataset and lake. */
  readonly origin: string
  /** See `MAX_BYTES`. */
  readonly maxBytes?: number
}

/** Calls and visits in the database of this replica. Its methods take milliseconds at a time. */
export class SqliteCounts implements CountsStore {
  readonly #options: SqliteCountsOptions
  #isClosed = false

  constructor(options: SqliteCountsOptions) {
    this.#options = options
  }

  async add(sites: ReadonlyMap<string, readonly Count[]>): Promise<void> {
    this.#options.database.write((run) => {
      for (const [publicId, counts] of sites) {
        const site = this.#siteOf(publicId)
        for (const {hour, tool, key, number} of counts) run(ADD, site, hour, tool, key, number)
      }
    })
    await setImmediate()
  }

  async read(publicId: string, from: number, to: number): Promise<StoredCounts> {
    const {database} = this.#options
    const counts: Count[] = []
    for (let before = to + 1; before > from; before -= HOURS_AT_ONCE) {
      const first = Math.max(from, before - HOURS_AT_ONCE)
      const left = MAX_READ - counts.length
      const rows = database.rows(READ, this.#siteOf(publicId), first, before, left)
      for (const {tool, hour, key, number} of rows)
        counts.push({tool: String(tool), hour: Number(hour), key: String(key), number: Number(number)})
      await setImmediate()
    }
    const [begun] = database.rows('SELECT min(at) AS at FROM begun')
    return {counts, ...(begun && {since: Number(begun.at)})}
  }

  async prune(before: number): Promise<void> {
    const {database, maxBytes = MAX_BYTES} = this.#options
    // A clock that jumped removes nothing: what was stored a day earlier confirms it.
    const [newest] = database.rows(NEWEST, before + KEPT_HOURS - 24)
    const confirmed = Math.min(before, Number(newest?.hour ?? 0) + 24 - KEPT_HOURS)
    await this.#removeUntil(confirmed - 1)
    database.rows(REMOVE_VISITS, confirmed * HOUR)
    while (Number(database.rows(BYTES)[0]?.bytes ?? 0) > maxBytes) {
      const hour = database.rows(OLDEST, VISIT.hour)[0]?.hour ?? null
      if (hour === null || this.#isClosed) return
      await this.#removeUntil(Number(hour))
    }
  }

  close(): void {
    this.#isClosed = true
  }

  async #removeUntil(hour: number): Promise<void> {
    while (!this.#isClosed && this.#options.database.rows(REMOVE, hour).length > 0) await setImmediate()
  }

  #siteOf(publicId: string): string {
    return `${this.#options.origin} ${publicId}`
  }
}
