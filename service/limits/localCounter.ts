import {LRUCache} from 'lru-cache'

/** Requests that were counted in a window, and the milliseconds until it ends. */
export type Count = {current: number; ttl: number}

/** Windows at once: what a flood of other keys has to displace before one begins anew. */
const MAX_WINDOWS = 50_000

/** The requests of one key until a moment, in milliseconds of `performance.now()`. */
export type Window = {current: number; readonly endsAt: number}

/** Counts requests by key in this process alone. A window begins when a key is first looked for. */
export class LocalCounter {
  readonly #windows = new LRUCache<string, Window>({max: MAX_WINDOWS})

  increment(key: string, milliseconds: number): Count {
    const now = performance.now()
    const window = this.window(key, milliseconds, now)
    window.current++
    return {current: window.current, ttl: window.endsAt - now}
  }

  /** Takes back one request of the window that is there. */
  decrement(key: string): void {
    const window = this.#windows.peek(key)
    if (window && window.current > 0) window.current--
  }

  /** The window of a key now. */
  window(key: string, milliseconds: number, now = performance.now()): Window {
    const known = this.#windows.get(key)
    if (known && known.endsAt > now) return known
    const window = {current: 0, endsAt: now + milliseconds}
    this.#windows.set(key, window)
    return window
  }
}
