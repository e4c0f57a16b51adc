import {hash} from 'node:crypto'
import type {SQLInputValue} from 'node:sqlite'
import {constants, deflateRawSync, inflateRawSync} from 'node:zlib'
import {LRUCache} from 'lru-cache'
import type {ReplicaDatabase} from '../database.ts'
import type {ServiceEvents} from '../events.ts'
import {siteQuery} from '../upstream/queries.ts'
import {isSite} from '../upstream/responses.ts'
import type {SiteDocument} from '../upstream/siteDocument.ts'

/** What upstream returned or confirmed. */
export type ConfirmedSite = {
  readonly publicId: string
  /** Revision of the whole site, see `siteRevisionOf`. */
  readonly revision: string
  /** Time of the confirmation, in milliseconds of the steady clock. */
  readonly validatedAt: number
  /** Undefined: upstream confirmed what it had returned before. */
  readonly document?: SiteDocument | null | undefined
}

/** The last valid upstream response for one public ID, and when upstream confirmed it, in milliseconds of the steady clock. */
export type Snapshot = {readonly document: SiteDocument; readonly validatedAt: number}

export type SnapshotsOptions = {
  readonly database: ReplicaDatabase
  /** Identifies the content: project, dataset and lake. Snapshots of another are never served. */
  readonly origin: string
  readonly events: ServiceEvents
  /** A clock for ages, in milliseconds. It never goes backwards. */
  readonly clock: () => number
  /** The system clock in milliseconds since 1970, for times that are written to disk. */
  readonly systemClock: () => number
  readonly maxBytes?: number
}

/** Longer documents would block requests while they are compressed, in characters. */
const MAX_COMPRESSED = 256 * 1_024

/** Sites that are remembered because they could not be written. */
const MAX_FAILED = 10_000

/** Limit for all snapshots, of 100,000 usual sites. Beyond it, those that upstream confirmed longest ago are removed. */
const MAX_BYTES = 256 * 2 ** 20

/** Share of the limit that is left then, and that is written until it is looked at again. */
const LEFT_SHARE = 0.9
const LOOK_SHARE = 0.1

/** Interval for updating the date of an unchanged site, in milliseconds. A restored age may be too high by this much. */
const REWRITE_AFTER = 300_000

/** It names the query, because a snapshot lacks the fields of a later one. Those of other formats are not used. */
const FORMAT = `1-${hash('sha1', siteQuery, 'base64url')}`

const OWN = 'origin = ? AND public_id = ? AND format = ?'
const FIND = `SELECT revision, validated_at FROM snapshots WHERE ${OWN}`
const READ = `SELECT document, validated_at FROM snapshots WHERE ${OWN}`
const CONFIRM = `UPDATE snapshots SET validated_at = ?4 WHERE origin = ?1 AND public_id = ?2 AND format = ?3`
const WRITE = `INSERT OR REPLACE INTO snapshots (origin, public_id, format, revision, validated_at, size, document)
  VALUES (?, ?, ?, ?, ?, ?, ?)`
const REMOVE = `DELETE FROM snapshots WHERE ${OWN}`
const SIZES = `SELECT origin = ? AS own, format = ? AS usable, count(*) AS files, sum(size) AS bytes
  FROM snapshots GROUP BY own, usable`
const REMOVE_OLDEST = `DELETE FROM snapshots WHERE id IN (SELECT id FROM
  (SELECT id, sum(size) OVER (ORDER BY validated_at DESC, id DESC) AS total FROM snapshots) WHERE total > ?)`

/**
 * Keeps the last known good sites on disk, so that the service can start without upstream. If the disk is full or
 * read-only, only snapshots are lost. The times on disk are those of the system clock, which may be set back; elsewhere they are those of the
 * steady clock.
 */
export class Snapshots {
  readonly #options: SnapshotsOptions
  /** The sites whose last change could not be written: nearly always none. */
  readonly #failed = new LRUCache<string, true>({max: MAX_FAILED})
  #counts: {readonly files: number; readonly bytes: number; readonly foreign: number} | undefined
  /** Bytes that were written since the limit was looked at. */
  #written = 0

  constructor(options: SnapshotsOptions) {
    this.#options = options
    options.events.on('databaseReplaced', () => {
      this.#counts = undefined
    })
    const {foreign} = this.counts
    if (foreign > 0) options.events.emit('snapshotsForeign', foreign, options.origin)
  }

  /** Number of snapshots that can be used, the size of all, and the number of those of other content. */
  get counts(): {readonly files: number; readonly bytes: number; readonly foreign: number} {
    this.#counts ??= this.#counted()
    return this.#counts
  }

  /** Whether a snapshot of this public ID exists. */
  has(publicId: string): boolean {
    return this.#rows(FIND, publicId).length > 0
  }

  /**
   * Reads the snapshot of a public ID. One that is damaged is removed.
   * @param unknownAge the age of a site whose snapshot has a date in the future: the clock was set back since.
   */
  read(publicId: string, unknownAge: number): Snapshot | undefined {
    const [row] = this.#rows(READ, publicId)
    if (row === undefined) return undefined
    try {
      const {document: packed, validated_at: writtenAt} = row
      const text = packed instanceof Uint8Array ? inflateRawSync(packed).toString() : String(packed)
      const document: unknown = JSON.parse(text)
      if (!isSite(document, publicId)) throw new Error(`It is not the site ${publicId}.`)
      const age = this.#options.systemClock() - Number(writtenAt)
      return {document, validatedAt: this.#options.clock() - (age < 0 ? unknownAge : age)}
    } catch (error) {
      this.#fail('read', error)
      this.remove(publicId)
      return undefined
    }
  }

  /**
   * Writes a site that upstream returned, or its date if the snapshot is not recent enough.
   * @returns false if the site could not be written before, and has no document: it must be fetched to be written.
   */
  keep({publicId, revision, validatedAt: confirmedAt, document}: ConfirmedSite): boolean {
    const validatedAt = this.#options.systemClock() - (this.#options.clock() - confirmedAt)
    const [row] = this.#rows(FIND, publicId)
    if (row?.revision === revision) {
      if (Math.abs(validatedAt - Number(row.validated_at)) >= REWRITE_AFTER)
        this.#write('written', publicId, CONFIRM, validatedAt)
    } else if (document) {
      const packed = packedOf(document)
      this.#written += packed.length
      this.#write('written', publicId, WRITE, revision, validatedAt, packed.length, packed)
    } else return !this.#failed.has(publicId)
    return true
  }

  /** Removes the snapshot of a deleted site. */
  remove(publicId: string): void {
    if (this.has(publicId)) this.#write('removed', publicId, REMOVE)
  }

  #write(action: 'written' | 'removed', publicId: string, sql: string, ...values: SQLInputValue[]): void {
    const {database, origin, events, maxBytes = MAX_BYTES} = this.#options
    try {
      database.write((run) => {
        run(sql, origin, publicId, FORMAT, ...values)
        this.#counts = undefined
        if (this.#written < maxBytes * LOOK_SHARE) return
        this.#written = 0
        if (this.counts.bytes > maxBytes) run(REMOVE_OLDEST, maxBytes * LEFT_SHARE)
        this.#counts = undefined
      })
      this.#failed.delete(publicId)
      events.emit('snapshot', action, publicId)
    } catch (error) {
      this.#failed.set(publicId, true)
      this.#fail('write', error)
    }
  }

  #counted() {
    const counts = {files: 0, bytes: 0, foreign: 0}
    const {database, origin} = this.#options
    try {
      for (const {own, usable, files, bytes} of database.rows(SIZES, origin, FORMAT)) {
        if (own === 0) counts.foreign += Number(files)
        else if (usable === 1) counts.files += Number(files)
        counts.bytes += Number(bytes)
      }
    } catch (error) {
      this.#fail('read', error)
    }
    return counts
  }

  #rows(sql: string, publicId: string) {
    const {database, origin} = this.#options
    try {
      return database.rows(sql, origin, publicId, FORMAT)
    } catch (error) {
      this.#fail('read', error)
      return []
    }
  }

  #fail(action: 'read' | 'write', error: unknown): void {
    const {database, events} = this.#options
    events.emit('snapshotFailed', action, database.path, error)
  }
}

function packedOf(document: SiteDocument): string | Uint8Array {
  const json = JSON.stringify(document)
  return json.length > MAX_COMPRESSED ? json : deflateRawSync(json, {level: constants.Z_BEST_SPEED})
}
