import {mkdir, readdir, readFile, rename, rm, stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {LRUCache} from 'lru-cache'
import type {ServiceEvents} from '../events.ts'
import {decodeSnapshot, encodeSnapshot, FILE_NAME, fileNameOf, type Snapshot} from './format.ts'

export type SnapshotsOptions = {
  /** Made where it is missing. */
  dir: string
  /** Names the content: project, dataset and lake. */
  origin: string
  events: ServiceEvents
  maxFiles?: number
  maxBytes?: number
  /** Milliseconds for which changes are collected before they are written. */
  writeAfter?: number
  /** Sites that may wait to be written. */
  maxWaiting?: number
}

/** What is known of a file: its bytes, and what was last written to it by this process. */
type Kept = {bytes: number; revision?: string; validatedAt: number}

/** Files and bytes of all snapshots: of the sites that were asked for last, where memory holds more. */
const MAX_FILES = 10_000
const MAX_BYTES = 256 * 2 ** 20

const WRITE_AFTER = 1_000

/**
 * Sites that wait for a disk that is slower than the lake. They are kept whole until then, so beyond this the one that
 * waits longest is given up: it stays in memory, and is written when the lake next confirms it.
 */
const MAX_WAITING = 1_000

/** Milliseconds after which an unchanged site is written anew, for its age. By so much an age may be overstated. */
const REWRITE_AFTER = 300_000

/** Milliseconds after which a file that was written aside is nobody's any more. */
const ABANDONED_AFTER = 60_000

/**
 * The last good sites on disk, for a start without the lake: one file each, written aside and renamed, off the path of
 * any request, the least recently used given up first. A disk that is full or read-only costs the snapshots alone.
 */
export class Snapshots {
  readonly #dir: string
  readonly #origin: string
  readonly #events: ServiceEvents
  readonly #writeAfter: number
  readonly #maxWaiting: number
  /** By file name. */
  readonly #kept: LRUCache<string, Kept>
  readonly #pending = new Map<string, {snapshot: Snapshot; revision: string}>()
  /** Those of which a write is in the line of work, so that a slow disk does not have one for each second there. */
  readonly #queued = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  /** Writes and removals, one after the other. */
  #work = Promise.resolve()
  #aside = 0

  private constructor({dir, origin, events, maxFiles, maxBytes, writeAfter, maxWaiting}: SnapshotsOptions) {
    this.#dir = dir
    this.#origin = origin
    this.#events = events
    this.#writeAfter = writeAfter ?? WRITE_AFTER
    this.#maxWaiting = maxWaiting ?? MAX_WAITING
    this.#kept = new LRUCache({
      max: maxFiles ?? MAX_FILES,
      maxSize: maxBytes ?? MAX_BYTES,
      sizeCalculation: ({bytes}) => Math.max(1, bytes),
      dispose: (_kept, name, reason) => {
        if (reason === 'evict') this.#enqueue(() => rm(this.#pathOf(name), {force: true}))
      },
    })
  }

  /** Looks which snapshots there are. None is read before it is needed. Where the folder cannot be used, there are none. */
  static async open(options: SnapshotsOptions): Promise<Snapshots> {
    const snapshots = new Snapshots(options)
    try {
      await mkdir(options.dir, {recursive: true})
      await snapshots.#list()
    } catch (error) {
      options.events.emit('snapshotFailed', 'read', options.dir, error)
    }
    return snapshots
  }

  /** How many there are, and their bytes. */
  get counts(): {files: number; bytes: number} {
    return {files: this.#kept.size, bytes: this.#kept.calculatedSize}
  }

  /** Whether a snapshot of this public identifier can be read. */
  has(publicId: string): boolean {
    return this.#pending.has(publicId) || this.#kept.has(fileNameOf(this.#origin, publicId))
  }

  /** The snapshot of a public identifier. A damaged one is left where it is, until a good one takes its place. */
  async read(publicId: string): Promise<Snapshot | undefined> {
    const pending = this.#pending.get(publicId)
    if (pending) return pending.snapshot
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

  /** Takes a site that the lake gave or confirmed, to be written soon where that tells something new. */
  keep(snapshot: Snapshot, revision: string): void {
    const {publicId, validatedAt} = snapshot
    const kept = this.#kept.get(fileNameOf(this.#origin, publicId))
    const isWritten = kept?.revision === revision && Math.abs(validatedAt - kept.validatedAt) < REWRITE_AFTER
    if (isWritten && !this.#pending.has(publicId)) return
    this.#pending.set(publicId, {snapshot, revision})
    const [longest] = this.#pending.keys()
    if (this.#pending.size > this.#maxWaiting && longest !== undefined) this.#pending.delete(longest)
    this.#timer ??= setTimeout(() => this.#writePending(), this.#writeAfter).unref()
  }

  /** Forgets a site that is no more. */
  remove(publicId: string): void {
    const name = fileNameOf(this.#origin, publicId)
    const isPending = this.#pending.delete(publicId)
    if (!this.#kept.delete(name) && !isPending) return
    this.#enqueue(async () => {
      // It may have been written in the meantime.
      this.#kept.delete(name)
      await rm(this.#pathOf(name), {force: true})
      this.#events.emit('snapshot', 'removed', publicId)
    })
  }

  /** Writes what is not written yet, and waits for whatever is under way. */
  async flush(): Promise<void> {
    this.#writePending()
    for (let work: unknown; work !== this.#work; await work) work = this.#work
  }

  async #list(): Promise<void> {
    const names = await readdir(this.#dir)
    const found = await Promise.all(
      names.map(async (name) => ({name, stats: await stat(this.#pathOf(name)).catch(() => undefined)})),
    )
    const files: ({name: string} & Kept)[] = []
    for (const {name, stats} of found) {
      if (!stats?.isFile()) continue
      if (FILE_NAME.test(name)) files.push({name, bytes: stats.size, validatedAt: stats.mtimeMs})
      else if (name.endsWith('.aside') && Date.now() - stats.mtimeMs > ABANDONED_AFTER)
        this.#enqueue(() => rm(this.#pathOf(name), {force: true}))
    }
    files.sort((a, b) => a.validatedAt - b.validatedAt)
    for (const {name, ...kept} of files) this.#kept.set(name, kept)
  }

  #writePending(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const publicId of this.#pending.keys()) {
      if (this.#queued.has(publicId)) continue
      this.#queued.add(publicId)
      this.#enqueue(() => this.#write(publicId))
    }
  }

  async #write(publicId: string): Promise<void> {
    this.#queued.delete(publicId)
    const pending = this.#pending.get(publicId)
    if (!pending) return
    const {snapshot, revision} = pending
    const name = fileNameOf(this.#origin, publicId)
    const text = encodeSnapshot(this.#origin, snapshot)
    const aside = this.#pathOf(`${name}.${process.pid}-${++this.#aside}.aside`)
    try {
      await mkdir(this.#dir, {recursive: true})
      await writeFile(aside, text, {flush: true})
      await rename(aside, this.#pathOf(name))
    } catch (error) {
      await rm(aside, {force: true}).catch(() => {})
      throw error
    } finally {
      // What came meanwhile is written in its turn; what cannot be written is not kept in memory for that.
      if (this.#pending.get(publicId) === pending) this.#pending.delete(publicId)
    }
    this.#kept.set(name, {bytes: Buffer.byteLength(text), revision, validatedAt: snapshot.validatedAt})
    this.#events.emit('snapshot', 'written', publicId)
  }

  #enqueue(step: () => Promise<void>): void {
    this.#work = this.#work.then(step).catch((error: unknown) => {
      this.#events.emit('snapshotFailed', 'write', this.#dir, error)
    })
  }

  #pathOf(name: string): string {
    return join(this.#dir, name)
  }
}
