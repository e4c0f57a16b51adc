import {mkdir, readdir, readFile, rm, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {LRUCache} from 'lru-cache'
import {atomicWrite, OWNER_ONLY} from '../../common/atomicWrite.ts'
import {inBackground} from '../../common/background.ts'
import {Mutex} from '../../common/mutex.ts'
import type {ServiceEvents} from '../events.ts'
import {
  decodeSnapshot,
  encodeSnapshot,
  FILE_NAME,
  fileNameOf,
  isOfOrigin,
  type PendingSnapshot,
  type Snapshot,
} from './format.ts'

export type SnapshotsOptions = {
  /** Created if it does not exist. */
  readonly dir: string
  /** Identifies the content: project, dataset and lake. */
  readonly origin: string
  readonly events: ServiceEvents
  readonly maxFiles?: number
  readonly maxBytes?: number
  /** How long changes are collected before they are written, in milliseconds. */
  readonly writeAfter?: number
  /**
   * Memory for the sites in the write queue, for a disk that is slower than upstream. Most are cached, and take none in addition.
   * Beyond it, the one that was offered longest ago is dropped until upstream next confirms it.
   */
  readonly maxWaitingBytes: number
  /** See `RETRY_AFTER`. */
  readonly retryAfter?: number | undefined
}

/** The state of a file: its size, and what this process last wrote to it. */
type Kept = {readonly bytes: number; readonly revision?: string; readonly validatedAt: number}

type Pending = {readonly snapshot: PendingSnapshot; readonly revision: string}

/** Limits for all snapshots. If memory holds more sites, the most recently used are stored. */
const MAX_FILES = 10_000
const MAX_BYTES = 256 * 2 ** 20

const WRITE_AFTER = 1_000

/**
 * Interval for rewriting an unchanged site to update its date, in milliseconds. A restored age may be too
 * high by this much.
 */
const REWRITE_AFTER = 300_000

/**
 * Maximum write queue for sites without a file that were confirmed but did not change, if there are more sites
 * than files. Otherwise each of 100,000 visited sites would evict another once a minute.
 */
const MAX_READMITTED = 10

/** Pause before what could not be written is tried again, in milliseconds, so that a problem ends without visitors. */
const RETRY_AFTER = 10_000

/** How the name of a temporary file starts. */
const TEMPORARY = 'aside-'

/** Age after which a temporary file counts as abandoned, in milliseconds. */
const ABANDONED_AFTER = 60_000

/**
 * Stores the last known good sites on disk, so that the service can start without upstream. Each site has one
 * file, written atomically with a rename. Writes run in the background; the least recently used sites are
 * evicted first. If the disk is full or read-only, only snapshots are lost.
 */
export class Snapshots {
  readonly #dir: string
  readonly #origin: string
  readonly #events: ServiceEvents
  readonly #writeAfter: number
  /** By file name. */
  readonly #kept: LRUCache<string, Kept>
  /** The write queue, by public ID. */
  readonly #pending: LRUCache<string, Pending>
  /** The number of files of other content: such as of the lake before `SANITY_API_HOST` was changed. */
  #foreign = 0
  /** Whether there are more sites than files. */
  #isFull = false
  #timer: NodeJS.Timeout | undefined
  readonly #retryAfter: number
  /** Writes and removals run one at a time. */
  readonly #mutex = new Mutex()

  private constructor({
    dir,
    origin,
    events,
    maxFiles = MAX_FILES,
    maxBytes = MAX_BYTES,
    writeAfter = WRITE_AFTER,
    maxWaitingBytes,
    retryAfter = RETRY_AFTER,
  }: SnapshotsOptions) {
    this.#retryAfter = retryAfter
    this.#dir = dir
    this.#origin = origin
    this.#events = events
    this.#writeAfter = writeAfter
    this.#pending = new LRUCache({
      maxSize: maxWaitingBytes,
      sizeCalculation: ({snapshot}) => Math.max(1, snapshot.bytes),
    })
    this.#kept = new LRUCache({
      max: maxFiles,
      maxSize: maxBytes,
      sizeCalculation: ({bytes}) => Math.max(1, bytes),
      dispose: (_kept, name, reason) => {
        if (reason !== 'evict') return
        this.#isFull = true
        if (!isOfOrigin(this.#origin, name)) this.#foreign -= 1
        this.#enqueue(() => rm(this.#pathOf(name), {force: true}))
      },
    })
  }

  /** Lists the existing snapshots without reading them. If the folder is unusable, there are none. */
  static async open(options: SnapshotsOptions): Promise<Snapshots> {
    const snapshots = new Snapshots(options)
    try {
      await mkdir(options.dir, {recursive: true, mode: OWNER_ONLY})
      await snapshots.#list()
    } catch (error) {
      options.events.emit('snapshotFailed', 'read', options.dir, error)
    }
    return snapshots
  }

  /** Number of snapshots that can be used, the size of all, and the number of those of other content. */
  get counts(): {readonly files: number; readonly bytes: number; readonly foreign: number} {
    const foreign = this.#foreign
    return {files: this.#kept.size - foreign, bytes: this.#kept.calculatedSize, foreign}
  }

  /** Whether a snapshot of this public ID exists. */
  has(publicId: string): boolean {
    return this.#pending.has(publicId) || this.#kept.has(fileNameOf(this.#origin, publicId))
  }

  /** Reads the snapshot of a public ID. A damaged file stays in place until a valid one replaces it. */
  async read(publicId: string): Promise<Snapshot | undefined> {
    const pending = this.#pending.peek(publicId)
    if (pending) return decodeSnapshot(encodeSnapshot(this.#origin, pending.snapshot), this.#origin, publicId)
    const name = fileNameOf(this.#origin, publicId)
    if (!this.#kept.get(name)) return undefined
    const path = this.#pathOf(name)
    try {
      return decodeSnapshot(await readFile(path, 'utf8'), this.#origin, publicId)
    } catch (error) {
      this.#kept.delete(name)
      this.#events.emit('snapshotFailed', 'read', path, error)
      return undefined
    }
  }

  /**
   * Queues a site that upstream returned or confirmed, unless the file on disk is recent enough.
   * @param isConfirmed whether upstream confirmed what it had returned before.
   */
  keep(snapshot: PendingSnapshot, revision: string, isConfirmed = false): void {
    const {publicId, validatedAt} = snapshot
    const kept = this.#kept.get(fileNameOf(this.#origin, publicId))
    const isWritten = kept?.revision === revision && Math.abs(validatedAt - kept.validatedAt) < REWRITE_AFTER
    if (isWritten && !this.#pending.has(publicId)) return
    if (isConfirmed && !kept && this.#isFull && this.#pending.size >= MAX_READMITTED) return
    this.#pending.set(publicId, {snapshot, revision})
    this.#writeLater(this.#writeAfter)
  }

  /** Removes the snapshot of a deleted site. */
  remove(publicId: string): void {
    const name = fileNameOf(this.#origin, publicId)
    const isPending = this.#pending.delete(publicId)
    if (!this.#kept.delete(name) && !isPending) return
    this.#enqueue(async () => {
      // A write may have finished in the meantime.
      this.#kept.delete(name)
      await rm(this.#pathOf(name), {force: true})
      this.#events.emit('snapshot', 'removed', publicId)
    })
  }

  /** Writes all pending snapshots and waits for writes in progress. */
  async flush(): Promise<void> {
    this.#writePending()
    await this.#mutex.idle()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #list(): Promise<void> {
    const names = await readdir(this.#dir)
    const found = await Promise.all(
      names.map(async (name) => ({name, stats: await stat(this.#pathOf(name)).catch(() => undefined)})),
    )
    const files: ({readonly name: string} & Kept)[] = []
    for (const {name, stats} of found) {
      if (!stats?.isFile()) continue
      if (FILE_NAME.test(name)) files.push({name, bytes: stats.size, validatedAt: stats.mtimeMs})
      else if (name.startsWith(TEMPORARY) && Math.abs(Date.now() - stats.mtimeMs) > ABANDONED_AFTER)
        this.#enqueue(() => rm(this.#pathOf(name), {force: true}))
    }
    files.sort((a, b) => a.validatedAt - b.validatedAt)
    this.#foreign = files.filter(({name}) => !isOfOrigin(this.#origin, name)).length
    if (this.#foreign > 0) this.#events.emit('snapshotsForeign', this.#foreign, this.#origin)
    for (const {name, ...kept} of files) this.#kept.set(name, kept)
  }

  #writeLater(milliseconds: number): void {
    this.#timer ??= setTimeout(() => this.#writePending(), milliseconds).unref()
  }

  #writePending(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#enqueue(async () => {
      for (const publicId of [...this.#pending.rkeys()]) await this.#write(publicId)
    })
  }

  async #write(publicId: string): Promise<void> {
    const pending = this.#pending.peek(publicId)
    if (!pending) return
    const {snapshot, revision} = pending
    const name = fileNameOf(this.#origin, publicId)
    const text = encodeSnapshot(this.#origin, snapshot)
    try {
      await mkdir(this.#dir, {recursive: true, mode: OWNER_ONLY})
      await atomicWrite(this.#pathOf(name), text, {mode: 0o600, prefix: TEMPORARY})
    } catch (error) {
      this.#events.emit('snapshotFailed', 'write', this.#dir, error)
      this.#writeLater(this.#retryAfter)
      return
    }
    // A newer snapshot keeps its place in the queue.
    if (this.#pending.peek(publicId) === pending) this.#pending.delete(publicId)
    this.#kept.set(name, {bytes: Buffer.byteLength(text), revision, validatedAt: snapshot.validatedAt})
    this.#events.emit('snapshot', 'written', publicId)
  }

  #enqueue(step: () => Promise<void>): void {
    void inBackground(() => this.#mutex.run(step), {
      onFailure: (error) => this.#events.emit('snapshotFailed', 'write', this.#dir, error),
    })
  }

  #pathOf(name: string): string {
    return join(this.#dir, name)
  }
}
