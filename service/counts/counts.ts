import {inBackground} from '../../common/background.ts'
import {type BackoffLimits, backoffDelay} from '../../common/backoff.ts'
import type {ServiceEvents} from '../events.ts'
import {type Count, type CountsStore, HOUR, KEPT_HOURS, type StoredCounts, VISIT} from './store.ts'

/** How long counts are collected before they are stored, in milliseconds. A crash loses as much. */
const WRITE_AFTER = 5_000

/** Sites that are stored at a time. Configs are served in between. */
const SITES_AT_ONCE = 100

/** Pauses before a write that failed is tried again. */
const RETRY: BackoffLimits = {first: 1_000, longest: 30_000}

/** Maximum counts that wait. More are dropped: a store fails, or strangers report. */
const MAX_WAITING = 50_000

type CountsOptions = {
  readonly store: CountsStore
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly events: ServiceEvents
}

/** Stores what pages report, in the background. Memory is bounded while the store fails. */
export class Counts {
  readonly #options: CountsOptions
  /** By public ID, and by hour, tool and key. */
  readonly #waiting = new Map<string, Map<string, Count>>()
  #waitingCounts = 0
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

  /** @returns whether there was room for it */
  add(publicId: string, count: Count): boolean {
    this.#writeLater(WRITE_AFTER)
    const counts = this.#waiting.get(publicId) ?? new Map<string, Count>()
    const id = `${count.hour} ${count.tool} ${count.key}`
    const {number} = counts.get(id) ?? {}
    if (number === undefined && this.#waitingCounts >= MAX_WAITING) return false
    if (number === undefined) this.#waitingCounts += 1
    const added = count.hour === VISIT.hour ? 0 : (number ?? 0)
    counts.set(id, {...count, number: count.number + added})
    this.#waiting.set(publicId, counts)
    return true
  }

  /** The counts of a site in the last days. @throws if the store fails */
  async callsOf(publicId: string, days: number): Promise<StoredCounts> {
    await this.flush()
    const hour = Math.floor(this.now() / HOUR)
    return this.#options.store.read(publicId, hour - days * 24, hour)
  }

  /** The visits of a site, of all replicas that share a store. @throws if the store fails */
  async visitsOf(publicId: string): Promise<readonly Count[]> {
    await this.flush()
    return (await this.#options.store.read(publicId, VISIT.hour, VISIT.hour)).counts
  }

  /** Stores what waits. Never rejects: what cannot be stored waits. */
  async flush(): Promise<void> {
    await this.#writing
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
    this.#writing ??= inBackground(() => this.#writeAll(), {
      onFailure: (error) => {
        this.#failures += 1
        this.#options.events.emit('countsFailed', error)
        clearTimeout(this.#timer)
        this.#timer = undefined
        this.#writeLater(backoffDelay(this.#failures, RETRY))
      },
    }).finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, SITES_AT_ONCE)
      const sites = new Map(batch.map(([publicId, counts]) => [publicId, [...counts.values()]]))
      for (const [publicId, {length}] of sites) {
        this.#waiting.delete(publicId)
        this.#waitingCounts -= length
      }
      try {
        await this.#options.store.add(sites)
      } catch (error) {
        // More may wait by now.
        for (const [publicId, counts] of sites) for (const count of counts) this.add(publicId, count)
        throw error
      }
    }
    this.#failures = 0
    this.#prune()
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
