import {inBackground} from '../../common/background.ts'
import {type BackoffLimits, backoffDelay} from '../../common/backoff.ts'
import type {ServiceEvents} from '../events.ts'
import {type Batch, type CountsStore, HOUR, KEPT_HOURS, type StoredCounts, type VisitTimes} from './store.ts'
import {WaitingCounts} from './waiting.ts'

const DAY = 24 * HOUR

/** How long counts are collected before they are stored, in milliseconds. A crash loses as much. */
const WRITE_AFTER = 5_000

/** Pauses before a write that failed is tried again. */
const RETRY: BackoffLimits = {first: 1_000, longest: 30_000}

type CountsOptions = {
  readonly store: CountsStore
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly events: ServiceEvents
  /** See `WRITE_AFTER`. */
  readonly writeAfter?: number | undefined
}

/** Stores what pages report, in the background. Memory is bounded while the store fails. */
export class Counts {
  readonly #options: CountsOptions
  #waiting = new WaitingCounts()
  /** What is being stored, or could not be stored. */
  #batch: Batch | undefined
  #writing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  /** Removes what is too old, also if nothing more comes. */
  readonly #pruning: NodeJS.Timeout
  #failures = 0
  readonly #closing = new AbortController()
  #prunedIn = 0

  constructor(options: CountsOptions) {
    this.#options = options
    this.#pruning = setInterval(() => void this.#write(), HOUR).unref()
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#options.clock()
  }

  /** Counts that wait. They are stored a little later. */
  collect(): WaitingCounts {
    this.#writeLater(this.#options.writeAfter ?? WRITE_AFTER)
    return this.#waiting
  }

  /** The counts of a site in the last days. @throws if the store fails */
  async callsOf(publicId: string, days: number): Promise<StoredCounts> {
    await this.flush()
    return this.#options.store.read(publicId, Math.floor((this.now() - days * DAY) / HOUR))
  }

  /** The visits of a site, of all replicas that share a store. @throws if the store fails */
  async visitsOf(publicId: string): Promise<VisitTimes> {
    await this.flush()
    return this.#options.store.visitsOf(publicId)
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
    this.#timer ??= setTimeout(() => this.#write(), milliseconds).unref()
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= inBackground(() => this.#writeOnce(), {
      onFailure: (error) => this.#options.events.emit('countsFailed', error),
    }).finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  async #writeOnce(): Promise<void> {
    const {store, events, writeAfter = WRITE_AFTER} = this.#options
    if (!this.#batch && !this.#waiting.isEmpty) {
      this.#batch = this.#waiting.toBatch()
      this.#waiting = new WaitingCounts()
    }
    try {
      if (this.#batch) await store.add(this.#batch)
      this.#batch = undefined
      this.#failures = 0
      this.#prune()
      if (!this.#waiting.isEmpty) this.#writeLater(writeAfter)
    } catch (error) {
      this.#failures += 1
      events.emit('countsFailed', error)
      this.#writeLater(backoffDelay(this.#failures, RETRY))
    }
  }

  /** Once an hour, in the background: it takes time, and more is stored meanwhile. */
  #prune(): void {
    const {store, clock, events} = this.#options
    const hour = Math.floor(clock() / HOUR)
    if (hour === this.#prunedIn || this.#closing.signal.aborted) return
    this.#prunedIn = hour
    const onFailure = (error: unknown) => events.emit('countsFailed', error)
    void inBackground(() => store.prune(hour - KEPT_HOURS), {onFailure})
  }
}
