import type {FastifyReply} from 'fastify'
import {LRUCache} from 'lru-cache'
import {ownText} from '../../common/ownText.ts'
import {errors} from '../errors.ts'

/** The window of every limit, in milliseconds: the interval in which pages poll, so that RATE_LIMIT_MAX counts polls. */
export const WINDOW = 60_000

/** Maximum windows. A flood of other keys must evict this many before a count restarts. */
const MAX_WINDOWS = 50_000

/** The requests of one key until a time in milliseconds of `performance.now()`. */
export type Window = {
  /** All requests that count, including those of other replicas as far as they are known. */
  current: number
  /** `current` when it was last reported to the other replicas. */
  reported: number
  endsAt: number
}

/** Counts requests by key in this process. A window begins with the first request of a key. */
export class Windows {
  // `max` would allocate room for all windows at once: 10 ms for each of the service's counters.
  readonly #windows = new LRUCache<string, Window>({maxSize: MAX_WINDOWS, sizeCalculation: () => 1})

  /** The current window of a key. */
  of(key: string, now = performance.now()): Window {
    const known = this.#windows.get(key)
    if (known && known.endsAt > now) return known
    const window = {current: 0, reported: 0, endsAt: now + WINDOW}
    this.#windows.set(ownText(key), window)
    return window
  }

  /** Counts a request. @returns its window */
  add(key: string): Window {
    const window = this.of(key)
    window.current += 1
    return window
  }
}

/** With a key per site only, one visitor could lock out all others. */
export function keyOf(publicId: string, client: string): string {
  return `${publicId} ${client}`
}

/** Creates the error for a client that exceeds its limit until a window ends, and sets `Retry-After`. */
export function rateLimited(reply: FastifyReply, {endsAt}: Pick<Window, 'endsAt'>): Error {
  const seconds = Math.ceil((endsAt - performance.now()) / 1_000)
  reply.header('retry-after', seconds)
  return new errors.RATE_LIMITED(seconds)
}
