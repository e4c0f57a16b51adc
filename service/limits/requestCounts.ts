import type {FastifyRateLimitStore} from '@fastify/rate-limit'
import type {ServiceSettings} from '../settings.ts'
import {type Count, LocalCounter, type Window} from './localCounter.ts'
import type {SharedCounter} from './sharedCounter.ts'

/**
 * From this request of a window on, replicas count together. Most visitors send one request per window, which
 * then costs Redis nothing, and neither does a flood of made-up IDs. In return, each replica may allow one
 * extra request.
 */
const SHARED_FROM = 2

/** The operator's settings for the limit, and the shared counter if replicas use one. */
export type RequestLimits = Pick<ServiceSettings, 'rateLimitMax' | 'rateLimitWindowSeconds'> & {
  shared?: SharedCounter | undefined
}

/**
 * Counts each client's requests for each site in a window. Every request is counted in this process, and with
 * a shared counter also in Redis. The stricter count applies, so the local count is up to date if Redis
 * fails.
 */
export class RequestCounts {
  readonly max: number
  readonly milliseconds: number
  readonly #shared: SharedCounter | undefined
  readonly #local = new LocalCounter()

  constructor({rateLimitMax, rateLimitWindowSeconds, shared}: RequestLimits) {
    this.max = rateLimitMax
    this.milliseconds = rateLimitWindowSeconds * 1_000
    this.#shared = shared
  }

  /**
   * Returns the window of a client at a site if its next request is within the limit regardless of other
   * replicas.
   */
  localAllowance(publicId: string, client: string): Window | undefined {
    const window = this.#local.window(keyOf(publicId, client), this.milliseconds)
    return window.current < (this.#shared ? SHARED_FROM - 1 : this.max) ? window : undefined
  }

  /**
   * Counts a request.
   * @param key see `keyOf`.
   */
  async count(key: string): Promise<Count> {
    const own = this.#local.increment(key, this.milliseconds)
    // A client over the local limit is over the shared one too, so there is no need to query Redis.
    if (!this.#shared || own.current < SHARED_FROM || own.current > this.max) return own
    const requests = own.current === SHARED_FROM ? SHARED_FROM : 1
    const all = await this.#shared.add(key, requests, this.milliseconds)
    return all && all.current > own.current ? all : own
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
      counts.count(key).then((count) => answer(null, count), answer)
    }

    /** All routes share one limit. */
    child(): LimitStore {
      return this
    }
  }
}
