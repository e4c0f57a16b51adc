import {LRUCache} from 'lru-cache'
import {ownText} from '../../common/ownText.ts'

/** The number of requests in a window, and the milliseconds until it ends. */
export type Count = {current: number; readonly ttl: number}

/** Maximum windows. A flood of other keys must evict this many before a count restarts. */
const MAX_WINDOWS = 50_000

/** The requests of one key until a time in milliseconds of `performance.now()`. */
export type Window = {
  /** All requests that count, including those of other replicas as far as they are known. */
  current: number
  /** `current` when it last agreed with the count of all replicas, see `Reports`. */
  reconciled: number
  endsAt: number
}

/** Counts requests by key in this process only. A window begins with the first lookup of a key. */
export class LocalCounter {
  // `max` would allocate room for all windows at once: 10 ms for each of the service's counters.
  readonly #windows = new LRUCache<string, Window>({maxSize: MAX_WINDOWS, sizeCalculation: () => 1})

  increment(key: string, milliseconds: number): Count {
    const now = performance.now()
    const window = this.window(key, milliseconds, now)
    window.current += 1
    return {current: window.current, ttl: window.endsAt - now}
  }

  /** Removes one request from the current window. */
  decrement(key: string): void {
    const window = this.#windows.peek(key)
    if (window && window.current > 0) window.current -= 1
  }

  /** Returns the current window of a key. */
  window(key: string, milliseconds: number, now = performance.now()): Window {
    const known = this.#windows.get(key)
    if (known && known.endsAt > now) return known
    const window = {current: 0, reconciled: 0, endsAt: now + milliseconds}
    this.#windows.set(ownText(key), window)
    return window
  }
}
