import type {FastifyRateLimitStore} from '@fastify/rate-limit'
import type {ServiceSettings} from '../settings.ts'
import {type Count, LocalCounter, type Window} from './localCounter.ts'
import {type FleetCounts, Reports} from './reports.ts'

/**
 * How many requests of a window a replica counts before it reports them to the others, compared with
 * RATE_LIMIT_MAX, and their minimum: most visitors send one request per window, which then costs Redis nothing,
 * and neither does a flood of made-up IDs.
 */
const STEP = 1 / 50
const STEP_AT_LEAST = 2

/** The operator's settings for the limit. */
export type RequestLimits = Pick<ServiceSettings, 'rateLimitMax' | 'rateLimitWindowSeconds'>

/**
 * Counts each client's requests for each site in a window. This process decides alone, at once. With the counts of
 * all replicas, it reports its own in steps in the background, and learns those of the others: replicas together
 * grant at most one step each beyond the limit, and what arrives during two round trips
 * (docs/decisions/0021-limits-per-client.md).
 */
export class RequestCounts {
  readonly max: number
  readonly milliseconds: number
  /** Requests of a window that are not reported yet, at most. */
  readonly step: number
  readonly #reports: Reports | undefined
  readonly #local = new LocalCounter()

  constructor({rateLimitMax, rateLimitWindowSeconds}: RequestLimits, fleet?: FleetCounts) {
    this.max = rateLimitMax
    this.milliseconds = rateLimitWindowSeconds * 1_000
    this.step = Math.max(STEP_AT_LEAST, Math.ceil(rateLimitMax * STEP))
    this.#reports = fleet && new Reports(fleet, this.milliseconds)
  }

  /**
   * Counts a request of a client for a site, if it is within the limit.
   * @param now the time of `performance.now()`.
   * @returns whether it is.
   */
  admit(publicId: string, client: string, now = performance.now()): boolean {
    const key = keyOf(publicId, client)
    const window = this.#local.window(key, this.milliseconds, now)
    if (window.current >= this.max) return false
    this.#add(key, window)
    return true
  }

  /**
   * Counts a request, also beyond the limit.
   * @param key see `keyOf`.
   */
  count(key: string): Count {
    const now = performance.now()
    const window = this.#local.window(key, this.milliseconds, now)
    this.#add(key, window)
    return {current: window.current, ttl: window.endsAt - now}
  }

  #add(key: string, window: Window): void {
    window.current += 1
    // Refused requests do not count for other replicas.
    if (window.current - window.reconciled >= this.step && window.current <= this.max)
      this.#reports?.add(key, window)
  }
}

/** With a key per site only, one visitor could lock out all others. */
export function keyOf(publicId: string, client: string): string {
  return `${publicId} ${client}`
}

/** The store for `@fastify/rate-limit`. */
export function limitStore(counts: RequestCounts): new () => FastifyRateLimitStore {
  return class LimitStore implements FastifyRateLimitStore {
    incr(key: string, answer: (error: Error | null, count?: Count) => void): void {
      answer(null, counts.count(key))
    }

    /** All routes share one limit. */
    child(): LimitStore {
      return this
    }
  }
}
