import type {FastifyRateLimitStore} from '@fastify/rate-limit'
import {LocalCounter} from './localCounter.ts'
import type {SharedCounter} from './sharedCounter.ts'

/**
 * The request of a window from which on replicas tell each other. Most visitors ask once in a window and cost Redis
 * nothing, nor does a flood of identifiers that nobody ever gave. Each replica may thus grant one request more.
 */
const SHARED_FROM = 2

/**
 * Where `@fastify/rate-limit` counts. Every request is counted in this process, and with a shared counter in Redis too:
 * the stricter of the two decides. So the local count is there, and warm, whenever Redis is not.
 */
export function limitStore(shared: SharedCounter | undefined): new () => FastifyRateLimitStore {
  const local = new LocalCounter()

  return class LimitStore implements FastifyRateLimitStore {
    incr(
      key: string,
      answer: (error: Error | null, count?: {current: number; ttl: number}) => void,
      milliseconds: number,
      max: number,
    ): void {
      const own = local.increment(key, milliseconds)
      // Whoever is refused here is so wherever else they ask, and costs Redis nothing.
      if (!shared || own.current < SHARED_FROM || own.current > max) {
        answer(null, own)
        return
      }
      const requests = own.current === SHARED_FROM ? SHARED_FROM : 1
      shared
        .add(key, requests, milliseconds)
        .then((all) => answer(null, all && all.current > own.current ? all : own), answer)
    }

    /** There is one limit for all routes. */
    child(): LimitStore {
      return this
    }
  }
}
