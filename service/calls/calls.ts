import {type BackoffLimits, backoffDelay} from '../../common/backoff.ts'
import type {Outcome} from '../../schemas/calls/counts.ts'
import type {ServiceEvents} from '../events.ts'
import type {CompiledSite} from '../site/compiledSite.ts'
import {DeletedSites} from './deletedSites.ts'
import type {ReportedCalls} from './report.ts'
import {type Batch, type CallsStore, HOUR, KEPT_HOURS, type StoredCalls} from './store.ts'
import {WaitingCounts} from './waiting.ts'

const DAY = 24 * HOUR

/** How long counts are collected before they are stored, in milliseconds. A crash loses as much. */
const WRITE_AFTER = 5_000

/** Pauses before a write that failed is tried again. */
const RETRY: BackoffLimits = {first: 1_000, longest: 30_000}

/** Maximum counters that wait. More are dropped: a store fails, or strangers report. */
const MAX_WAITING = 20_000

/** Maximum different errors that count in an hour, of a tool and of all: strangers can invent hashes. */
const MAX_ERRORS_OF_TOOL = 20
const MAX_ERRORS = 50_000

export type CallsOptions = {
  readonly store: CallsStore
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly events: ServiceEvents
  /** Whether no published site has a public ID. */
  readonly isGone: (publicId: string) => Promise<boolean>
  /** See `WRITE_AFTER`. */
  readonly writeAfter?: number | undefined
  /** See `MAX_WAITING`. */
  readonly maxWaiting?: number | undefined
}

/**
 * Counts the calls that pages report, by tool, hour, outcome and duration. Strangers can send reports, too: what they
 * can invent is a wrong number for a tool of the site, and memory is bounded whatever they send.
 */
export class Calls {
  readonly #options: CallsOptions
  /** By the names of a site's tools, the IDs of their documents. */
  readonly #ids = new WeakMap<CompiledSite, ReadonlyMap<string, string>>()
  #waiting = new WaitingCounts()
  /** What is being stored, or could not be stored. */
  #batch: Batch | undefined
  #writing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  /** Removes what is too old, also if no more calls come. */
  readonly #pruning: NodeJS.Timeout
  #failures = 0
  readonly #closing = new AbortController()
  #errors = {hour: 0, size: 0, byTool: new Map<string, Set<string>>()}
  #prunedIn = 0
  readonly #deleted: DeletedSites

  constructor(options: CallsOptions) {
    this.#options = options
    this.#deleted = new DeletedSites({...options, closing: this.#closing.signal})
    this.#pruning = setInterval(() => void this.#write(), HOUR).unref()
  }

  /** Counts what a page reports. Names that the site does not have are ignored. */
  add(publicId: string, site: CompiledSite, report: readonly ReportedCalls[]): void {
    const {clock, events, writeAfter = WRITE_AFTER, maxWaiting = MAX_WAITING} = this.#options
    const hour = Math.floor(clock() / HOUR)
    const ids = this.#idsOf(site)
    const sums = new Map<Outcome, number>()
    for (const {name, outcome, bucket, count, hash} of report) {
      const tool = ids.get(name)
      if (tool === undefined) continue
      if (this.#waiting.size >= maxWaiting) break
      this.#waiting.addCalls({publicId, hour, tool}, outcome, bucket, count)
      if (hash !== undefined && this.#admitsError(hour, `${publicId} ${tool}`, hash))
        this.#waiting.addError({publicId, hour, tool}, hash, count)
      sums.set(outcome, count + (sums.get(outcome) ?? 0))
    }
    for (const [outcome, count] of sums) events.emit('calls', outcome, count)
    this.#writeLater(writeAfter)
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#options.clock()
  }

  /** The calls of a site in the last days. @throws if the store fails */
  async read(publicId: string, days: number): Promise<StoredCalls> {
    await this.flush()
    return this.#options.store.read(publicId, Math.floor((this.now() - days * DAY) / HOUR))
  }

  /** Stores what waits. Never rejects: what cannot be stored waits. */
  async flush(): Promise<void> {
    await this.#writing
    // What an earlier batch left, and what waits.
    await this.#write()
    await this.#write()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.flush()
    clearTimeout(this.#timer)
    clearInterval(this.#pruning)
    this.#options.store.close()
  }

  #writeLater(milliseconds: number): void {
    if (this.#waiting.size > 0 || this.#batch)
      this.#timer ??= setTimeout(() => this.#write(), milliseconds).unref()
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeOnce().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  async #writeOnce(): Promise<void> {
    const {store, events, writeAfter = WRITE_AFTER} = this.#options
    if (!this.#batch && this.#waiting.size > 0) {
      this.#batch = this.#waiting.toBatch()
      this.#waiting = new WaitingCounts()
    }
    try {
      if (this.#batch) await store.add(this.#batch)
      this.#batch = undefined
      this.#failures = 0
      this.#prune()
      this.#writeLater(writeAfter)
    } catch (error) {
      this.#failures += 1
      events.emit('callsFailed', error)
      this.#writeLater(backoffDelay(this.#failures, RETRY))
    }
  }

  /** Once an hour, in the background: it takes time, and calls are stored meanwhile. */
  #prune(): void {
    const {store, clock, events} = this.#options
    const hour = Math.floor(clock() / HOUR)
    if (hour === this.#prunedIn || this.#closing.signal.aborted) return
    this.#prunedIn = hour
    store.prune(hour - KEPT_HOURS).catch((error: unknown) => events.emit('callsFailed', error))
    void this.#deleted.check()
  }

  #admitsError(hour: number, tool: string, hash: string): boolean {
    if (hour !== this.#errors.hour) this.#errors = {hour, size: 0, byTool: new Map()}
    const hashes = this.#errors.byTool.get(tool) ?? new Set()
    if (hashes.has(hash)) return true
    if (hashes.size >= MAX_ERRORS_OF_TOOL || this.#errors.size >= MAX_ERRORS) return false
    this.#errors.byTool.set(tool, hashes.add(hash))
    this.#errors.size += 1
    return true
  }

  #idsOf(site: CompiledSite): ReadonlyMap<string, string> {
    const known = this.#ids.get(site)
    if (known) return known
    const tools = site.texts.tools()
    const served = site.texts.served()
    const ids = new Map(served.map(({documentId}, at) => [nameIn(tools[at] ?? ''), documentId]))
    this.#ids.set(site, ids)
    return ids
  }
}

/** The name of a tool in its JSON, which begins with the ID: to parse all of it would take long. */
function nameIn(json: string): string {
  return /"name":"([^"]*)"/.exec(json)?.[1] ?? ''
}
