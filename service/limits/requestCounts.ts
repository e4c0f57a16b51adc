import type {FastifyRateLimitStore} from '@fastify/rate-limit'
import type {ServiceSettings} from '../settings.ts'
import {type Count, LocalCounter, type Window} from './localCounter.ts'
import type {SharedCounter} from './sharedCounter.ts'

/**
 * The request of a window from which on replicas tell each other. Most visitors ask once in a window and cost Redis
 * nothing, nor does a flood of identifiers that nobody ever gave. Each replica may thus grant one request more.
 */
const SHARED_FROM = 2

/** What an operator says of the limit, and where replicas count together, if they do. */
export type RequestLimits = Pick<ServiceSettings, 'rateLimitMax' | 'rateLimitWindowSeconds'> & {
  shared?: SharedCounter | undefined
}

/**
 * What each client asks of each site in a window. Every request is counted in this process, and with a shared counter in
 * Redis too: the stricter of the two decides. So the local count is there, and warm, whenever Redis is not.
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

  /** The window of a client at a site, where its next request is within the limit whatever other replicas count. */
  roomFor(publicId: string, client: string): Window | undefined {
    const window = this.#local.window(keyOf(publicId, client), this.milliseconds)
    return window.current < (this.#shared ? SHARED_FROM - 1 : this.max) ? window : undefined
  }

  /** Counts a request. @param key see `keyOf`. */
  async count(key: string): Promise<Count> {
    const own = this.#local.increment(key, this.milliseconds)
    // Whoever is refused here is so wherever else they ask, and costs Redis nothing.
    if (!this.#shared || own.current < SHARED_FROM || own.current > this.max) return own
    const requests = own.current === SHARED_FROM ? SHARED_FROM : 1
    const all = await this.#shared.add(key, requests, this.milliseconds)
    return all && all.current > own.current ? all : own
  }
}

/** A key of the site alone would let one visitor shut out all others. */
export function keyOf(publicId: string, client: string): string {
  return `${publicId} ${client}`
}

/** Where `@fastify/rate-limit` counts. */
export function limitStore(counts: RequestCounts): new () => FastifyRateLimitStore {
  return class LimitStore implements FastifyRateLimitStore {
    incr(key: string, answer: (error: Error | null, count?: Count) => void): void {
      counts.count(key).then((count) => answer(null, count), answer)
    }

    /** There is one limit for all routes. */
    child(): LimitStore {
      return this
    }
  }
}
