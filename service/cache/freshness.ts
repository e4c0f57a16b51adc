import {MAX_SILENCE} from '../upstream/eventStream.ts'
import type {Entries, Entry} from './entries.ts'

/**
 * What the stream of live events says about all entries at once: one that was validated since the stream
 * began, and that no event touched, is valid as of the stream's last sign of life.
 */
export class Freshness {
  readonly #entries: Pick<Entries, 'all'>
  readonly #clock: () => number
  #isConnected = false
  /** The stream covers entries that were validated after this time, once it is over. */
  #since = Number.POSITIVE_INFINITY
  #aliveAt = Number.NEGATIVE_INFINITY
  #distrustedUntil = Number.NEGATIVE_INFINITY

  constructor(entries: Pick<Entries, 'all'>, clock: () => number) {
    this.#entries = entries
    this.#clock = clock
  }

  /** Whether live events report changes. If not, sites in use must be compared with upstream. */
  get isLive(): boolean {
    return this.#clock() >= this.#since
  }

  /**
   * Whether a live event would have invalidated this entry if it had changed. A snapshot may have changed while
   * it was only on disk.
   */
  covers({isStale, fromSnapshot, validatedAt}: Entry): boolean {
    return !isStale && !fromSnapshot && validatedAt > this.#since
  }

  /** Dates a covered entry to the last sign of life. */
  extend(entry: Entry): void {
    if (entry.validatedAt < this.#aliveAt && this.covers(entry)) entry.validatedAt = this.#aliveAt
  }

  /** Dates all covered entries to the last sign of life. */
  extendAll(): void {
    for (const entry of this.#entries.all()) this.extend(entry)
  }

  /** Covers only what is validated from now on: the stream has connected or ended, or may have lost an event. */
  begin(isConnected = this.#isConnected): void {
    this.extendAll()
    this.#isConnected = isConnected
    this.#aliveAt = this.#clock()
    this.#since = isConnected ? Math.max(this.#aliveAt, this.#distrustedUntil) : Number.POSITIVE_INFINITY
  }

  /** Covers nothing for a while, in milliseconds. */
  distrust(milliseconds: number): void {
    this.#distrustedUntil = this.#clock() + milliseconds
    this.begin()
  }

  /** Something arrived on the stream. @returns false if that took so long that events may have been missed. */
  signOfLife(): boolean {
    const now = this.#clock()
    if (this.#isConnected && now - this.#aliveAt > MAX_SILENCE) return false
    this.#aliveAt = now
    return true
  }
}
