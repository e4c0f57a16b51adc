import {setImmediate} from 'node:timers/promises'
import type {ReplicaDatabase} from '../database.ts'
import {type Count, type CountsStore, HOUR, MAX_READ, type StoredCounts, VISIT} from './store.ts'

/** Hours that are read at a time, and rows that are removed. Configs are served in between. */
const HOURS_AT_ONCE = 24
const ROWS_AT_ONCE = 500

/** Maximum size in bytes. Beyond it, the oldest counts are removed. */
const MAX_BYTES = 256 * 2 ** 20

const ADD = `INSERT INTO calls VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
  SET number = iif(hour = ${VISIT.hour}, max(number, excluded.number), number + excluded.number)`
const REMOVE_VISITS = `DELETE FROM calls WHERE hour = ${VISIT.hour} AND number < ?`
const READ = `SELECT hour, tool, key, number FROM calls
  WHERE site = ? AND hour >= ? AND hour < ? ORDER BY hour DESC LIMIT ?`
const REMOVE = `DELETE FROM calls WHERE (site, hour, tool, key) IN
  (SELECT site, hour, tool, key FROM calls WHERE hour > ${VISIT.hour} AND hour <= ? LIMIT ${ROWS_AT_ONCE}) RETURNING 1`
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
    const counts: Count[] = []
    for (let before = to + 1; before > from; before -= HOURS_AT_ONCE) {
      const first = Math.max(from, before - HOURS_AT_ONCE)
      const rows = this.#options.database.rows(
        READ,
        this.#siteOf(publicId),
        first,
        before,
        MAX_READ - counts.length,
      )
      for (const {tool, hour, key, number} of rows)
        counts.push({tool: String(tool), hour: Number(hour), key: String(key), number: Number(number)})
      await setImmediate()
    }
    const [begun] = this.#options.database.rows('SELECT min(at) AS at FROM begun')
    return {counts, ...(begun && {since: Number(begun.at)})}
  }

  async prune(before: number): Promise<void> {
    await this.#removeUntil(before - 1)
    this.#options.database.rows(REMOVE_VISITS, before * HOUR)
    while (
      Number(this.#options.database.rows(BYTES)[0]?.bytes ?? 0) > (this.#options.maxBytes ?? MAX_BYTES)
    ) {
      const hour = this.#options.database.rows(OLDEST, VISIT.hour)[0]?.hour ?? null
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
