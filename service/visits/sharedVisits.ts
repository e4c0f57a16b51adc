import type {Redis} from 'ioredis'
import {connectRedis} from '../limits/redis.ts'
import {type FleetVisits, KEPT_FOR, type VisitTimes} from './visits.ts'

/** How long times are collected before they are sent, in milliseconds. */
const PAUSE = 500

/** Maximum sites that wait while Redis is slow. Their times are sent after the next visit. */
const MAX_WAITING = 1_000

export type SharedVisitsOptions = {
  readonly url: string
  /** Prefix of every key. */
  readonly prefix: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Shares the times of visits with all replicas that use the same prefix: a sorted set for each site. The counter of
 * requests, which uses the same Redis, says when it is lost.
 */
export class SharedVisits implements FleetVisits {
  readonly #redis: Redis
  readonly #prefix: string
  readonly #clock: () => number
  readonly #waiting = new Map<string, Map<string, number>>()
  #timer: NodeJS.Timeout | undefined

  /** The connection is made in the background. */
  constructor({url, prefix, clock}: SharedVisitsOptions) {
    this.#prefix = prefix
    this.#clock = clock
    this.#redis = connectRedis(url)
    this.#redis.on('error', () => {})
  }

  add(siteId: string, times: VisitTimes): void {
    const waiting = this.#waiting.get(siteId)
    if (waiting === undefined && this.#waiting.size >= MAX_WAITING) return
    this.#waiting.set(siteId, new Map([...(waiting ?? []), ...times]))
    this.#timer ??= setTimeout(() => void this.#send(), PAUSE).unref()
  }

  async of(siteId: string): Promise<VisitTimes | undefined> {
    try {
      const reply = await this.#redis.zrange(this.#prefix + siteId, '0', '-1', 'WITHSCORES')
      const times = new Map<string, number>()
      for (let at = 0; at + 1 < reply.length; at += 2) times.set(reply[at] ?? '', Number(reply[at + 1]))
      return times
    } catch {
      return undefined
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#redis.disconnect()
  }

  async #send(): Promise<void> {
    const pipeline = this.#redis.pipeline()
    for (const [siteId, times] of this.#waiting) {
      const key = this.#prefix + siteId
      pipeline.zadd(key, 'GT', ...[...times].flatMap(([id, at]) => [String(at), id]))
      pipeline.zremrangebyscore(key, 0, this.#clock() - KEPT_FOR)
      pipeline.pexpire(key, KEPT_FOR)
    }
    this.#waiting.clear()
    this.#timer = undefined
    await pipeline.exec().catch(() => {})
  }
}
