import type {SQLInputValue} from 'node:sqlite'
import {setImmediate} from 'node:timers/promises'
import type {ReplicaDatabase} from '../database.ts'
import {
  type Batch,
  type Count,
  type CountsStore,
  HOUR,
  MAX_COUNTERS,
  MAX_READ,
  type StoredCounts,
  type VisitTimes,
} from './store.ts'

/** Hours that are read at a time, and rows that are written or removed. Configs are served in between. */
const HOURS_AT_ONCE = 24
const ROWS_AT_ONCE = 500

/** Maximum size in bytes. Beyond it, the oldest counts are removed. */
const MAX_BYTES = 256 * 2 ** 20

const ADD_TOOL = 'INSERT INTO tools (site, tool) VALUES (?, ?) ON CONFLICT DO UPDATE SET id = id RETURNING id'
const ADD = 'INSERT INTO counts VALUES (?, ?, ?, ?)'
const ADD_VISIT = 'INSERT INTO visits VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)'
const READ = `SELECT hour, key, number, tools.tool AS document FROM counts JOIN tools ON tools.id = counts.tool
  WHERE site = ? AND hour >= ? AND hour < ? ORDER BY hour DESC LIMIT ?`
const ADD_TO_KNOWN =
  'UPDATE counts SET number = number + ? WHERE tool = ? AND hour = ? AND key = ? RETURNING 1'
const COUNTERS =
  'SELECT count(*) AS size FROM tools JOIN counts ON tools.id = counts.tool WHERE site = ? AND hour = ?'
const REMOVE_UNUSED = 'DELETE FROM tools WHERE NOT EXISTS (SELECT 1 FROM counts WHERE tool = id)'
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
  readonly #rows: ReplicaDatabase['rows']
  #isClosed = false

  constructor(options: SqliteCountsOptions) {
    this.#options = options
    this.#rows = (sql, ...values) => options.database.rows(sql, ...values)
  }

  async add({sites}: Batch): Promise<void> {
    await this.#options.database.write(async (run) => {
      let rows = 0
      const pause = async () => {
        rows += 1
        if (rows % ROWS_AT_ONCE === 0) await setImmediate()
      }
      for (const {publicId, counts, visits} of sites) {
        const site = this.#siteOf(publicId)
        const ids = new Map<string, SQLInputValue>()
        const sizes = new Map<number, number>()
        for (const {tool, hour, key, number} of counts) {
          const id = ids.get(tool) ?? run(ADD_TOOL, site, tool)[0]?.id ?? null
          ids.set(tool, id)
          const size = sizes.get(hour) ?? Number(run(COUNTERS, site, hour)[0]?.size ?? 0)
          const isNew = run(ADD_TO_KNOWN, number, id, hour, key).length === 0
          if (isNew && size < MAX_COUNTERS) run(ADD, id, hour, key, number)
          sizes.set(hour, size + (isNew ? 1 : 0))
          await pause()
        }
        for (const [tool, at] of visits) {
          run(ADD_VISIT, site, tool, at)
          await pause()
        }
      }
    })
  }

  async read(publicId: string, since: number): Promise<StoredCounts> {
    const counts: Count[] = []
    const [newest] = this.#rows('SELECT max(hour) AS hour FROM counts')
    for (let before = Number(newest?.hour ?? -1) + 1; before > since; before -= HOURS_AT_ONCE) {
      const from = Math.max(since, before - HOURS_AT_ONCE)
      const rows = this.#rows(READ, this.#siteOf(publicId), from, before, MAX_READ - counts.length)
      for (const {document, hour, key, number} of rows)
        counts.push({tool: String(document), hour: Number(hour), key: String(key), number: Number(number)})
      await setImmediate()
    }
    const [begun] = this.#rows('SELECT at FROM begun')
    return {counts, ...(begun && {since: Number(begun.at)})}
  }

  async visitsOf(publicId: string): Promise<VisitTimes> {
    const rows = this.#rows('SELECT tool, at FROM visits WHERE site = ?', this.#siteOf(publicId))
    return new Map(rows.map(({tool, at}) => [String(tool), Number(at)]))
  }

  async prune(before: number): Promise<void> {
    await this.#removeWhere('hour < ?', before)
    this.#rows('DELETE FROM visits WHERE at < ?', before * HOUR)
    while (Number(this.#rows(BYTES)[0]?.bytes ?? 0) > (this.#options.maxBytes ?? MAX_BYTES)) {
      const hour = this.#rows('SELECT min(hour) AS hour FROM counts')[0]?.hour ?? null
      if (hour === null || this.#isClosed) return
      await this.#removeWhere('hour <= ?', hour)
    }
  }

  close(): void {
    this.#isClosed = true
  }

  async #removeWhere(condition: string, ...values: readonly SQLInputValue[]): Promise<void> {
    const some = `SELECT tool, hour, key FROM counts WHERE ${condition} LIMIT ${ROWS_AT_ONCE}`
    const sql = `DELETE FROM counts WHERE (tool, hour, key) IN (${some}) RETURNING 1`
    while (!this.#isClosed && this.#rows(sql, ...values).length > 0) await setImmediate()
    if (!this.#isClosed) this.#rows(REMOVE_UNUSED)
  }

  #siteOf(publicId: string): string {
    return `${this.#options.origin} ${publicId}`
  }
}
