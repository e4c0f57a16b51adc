import type {Redis} from 'ioredis'
import {connectRedis} from '../limits/redis.ts'
import {
  type Count,
  type CountsStore,
  HOUR,
  MAX_READ,
  type StoredCounts,
  VISIT,
  type VisitTimes,
} from './store.ts'

/** How long calls are kept: less than on a disk, because memory is dear. */
const KEPT_HOURS = 92 * 24
const KEPT_SECONDS = KEPT_HOURS * 3_600

/** The last time that has a date, in milliseconds since 1970 (ECMA-262, “Time Values and Time Range”), below which sums are exact. */
const MAX_TIME = 8.64e15

/** Maximum characters of the name of a counter: a tool, an outcome and a bucket. Those of other programs can have any length. */
const MAX_NAME = 300

/** Maximum visited tools of a site that are read. */
const MAX_VISITED = 3_000

/** Commands that are sent at a time, so that each gets its reply in time, and hours that are read. */
const MAX_COMMANDS = 500
const MAX_HOURS = 24

type RedisCountsOptions = {
  readonly url: string
  /** Prefix of every key. */
  readonly prefix: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Receives the error if it is not known what Redis added. It is not sent again: it could count twice. */
  readonly onLost: (error: unknown) => void
  /** See `REDIS_TIMEOUT`. */
  readonly timeout?: number
}

/**
 * Calls and visits of all replicas that use the same prefix: a hash for each hour of a site, with a field for each counter,
 * and a sorted set for its visits. They expire.
 * The counter of requests, which uses the same Redis, says when it is lost.
 */
export class RedisCounts implements CountsStore {
  readonly #options: RedisCountsOptions
  readonly #redis: Redis

  /** The connection is made in the background. */
  constructor(options: RedisCountsOptions) {
    this.#options = options
    this.#redis = connectRedis(options.url, options.timeout)
    this.#redis.on('error', () => {})
  }

  async add(sites: ReadonlyMap<string, readonly Count[]>): Promise<void> {
    if (this.#redis.status !== 'ready') throw new Error('Redis is not connected.')
    const commands: Command[] = [['set', this.#keyOf('since'), this.#options.clock(), 'NX']]
    for (const [publicId, counts] of sites) {
      const hours = new Set<string>()
      for (const {tool, hour, key, number} of counts) {
        const ofHour = this.#keyOf(`${publicId}:${hour}`)
        if (hour === VISIT.hour) commands.push(['zadd', ofHour, 'GT', number, tool])
        else commands.push(['hincrby', ofHour, `${tool} ${key}`, number])
        hours.add(ofHour)
      }
      for (const ofHour of hours) commands.push(['expire', ofHour, KEPT_SECONDS])
    }
    await this.#send(commands).catch(this.#options.onLost)
  }

  async read(publicId: string, from: number): Promise<StoredCounts> {
    const hours = this.#hoursSince(from)
    const counts: Count[] = []
    for (let at = 0; at < hours.length && counts.length < MAX_READ; at += MAX_HOURS) {
      const some = hours.slice(at, at + MAX_HOURS)
      const replies = await this.#send(
        some.map((hour): Command => ['hgetall', this.#keyOf(`${publicId}:${hour}`)]),
      )
      for (const [index, hour] of some.entries()) {
        const reply: unknown = replies[index]
        const fields = typeof reply === 'object' && reply !== null ? Object.entries(reply) : []
        for (const [name, value] of fields) {
          const number = numberIn(value)
          if (number === undefined || name.length > MAX_NAME) continue
          const [tool = '', ...key] = name.split(' ')
          counts.push({tool, hour, key: key.join(' '), number})
        }
      }
    }
    const since = numberIn(await this.#redis.get(this.#keyOf('since')))
    return {counts, ...(since !== undefined && {since})}
  }

  async visitsOf(publicId: string): Promise<VisitTimes> {
    const key = this.#keyOf(`${publicId}:${VISIT.hour}`)
    const reply = await this.#redis.zrevrange(key, '0', `${MAX_VISITED - 1}`, 'WITHSCORES')
    const times = new Map<string, number>()
    for (let at = 0; at + 1 < reply.length; at += 2) {
      const time = numberIn(reply[at + 1])
      if (time !== undefined) times.set(reply[at] ?? '', time)
    }
    return times
  }

  /** Everything expires. */
  async prune(): Promise<void> {}

  close(): void {
    this.#redis.disconnect()
  }

  /** The newest first, as far as they are kept. */
  #hoursSince(since: number): number[] {
    const now = Math.floor(this.#options.clock() / HOUR)
    return Array.from({length: Math.max(0, Math.min(now - since, KEPT_HOURS) + 1)}, (_, ago) => now - ago)
  }

  #keyOf(name: string): string {
    return `${this.#options.prefix}${name}`
  }

  /** @throws the first error of a command */
  async #send(commands: readonly Command[]): Promise<unknown[]> {
    const replies: unknown[] = []
    for (let from = 0; from < commands.length; from += MAX_COMMANDS) {
      const slice = commands.slice(from, from + MAX_COMMANDS).map((command) => [...command])
      for (const [error, reply] of (await this.#redis.pipeline(slice).exec()) ?? []) {
        if (error) throw error
        replies.push(reply)
      }
    }
    return replies
  }
}

/** A count or a time of Redis, which other programs may write to; undefined: it is none. */
function numberIn(value: unknown, max = MAX_TIME): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
  return number <= max ? number : undefined
}

type Command = readonly [name: string, ...(string | number)[]]
