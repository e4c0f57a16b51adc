import {LRUCache} from 'lru-cache'

/** Requests that were counted in a window, and the milliseconds until it ends. */
export type Count = {current: number; ttl: number}

/** Windows at once: what a flood of other keys has to displace before one begins anew. */
const MAX_WINDOWS = 50_000

/** Counts requests by key in this process alone. A window begins with the first request of a key. */
export class LocalCounter {
  readonly #windows = new LRUCache<string, {current: number; endsAt: number}>({max: MAX_WINDOWS})

  increment(key: string, milliseconds: number): Count {
    const now = performance.now()
    const window = this.#windows.get(key)
    if (window && window.endsAt > now) {
      window.current++
      return {current: window.current, ttl: window.endsAt - now}
    }
    this.#windows.set(key, {current: 1, endsAt: now + milliseconds})
    return {current: 1, ttl: milliseconds}
  }

  /** Takes back one request of the window that is there. */
  decrement(key: string): void {
    const window = this.#windows.peek(key)
    if (window && window.current > 0) window.current--
  }
}
