import type {Redis} from 'ioredis'
import {type Count, type CountsStore, MAX_READ, type StoredCounts, VISIT} from './store.ts'

/** How long calls are kept: less than on a disk, because memory is dear. */
const KEPT_HOURS = 92 * 24
const KEPT_SECONDS = KEPT_HOURS * 3_600

/** The last time that has a date, in milliseconds since 1970 (ECMA-262, “Time Values and Time Range”), below which sums are exact. */
const MAX_TIME = 8.64e15

/** Maximum characters of the name of a counter: a tool, an outcome and a bucket. Those of other programs can have any length. */
const MAX_NAME = 300

/** Commands that are sent at a time, so that each gets its reply in time, and hours that are read. */
const MAX_COMMANDS = 500
const MAX_HOURS = 24

type RedisCountsOptions = {
  readonly redis: Redis
  /** Prefix of every key. */
  readonly prefix: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Receives the error if it is not known what Redis added. It is not sent again: it could count twice. */
  readonly onLost: (error: unknown) => void
}

/**
 * Calls and visits of all replicas that use the same prefix: a hash for each hour of a site, with a field for each counter. They
 * expire. The counter of requests, which uses the same connection, says when Redis is lost.
 */
export class RedisCounts implements CountsStore {
  readonly #options: RedisCountsOptions

  constructor(options: RedisCountsOptions) {
    this.#options = options
  }

  async add(sites: ReadonlyMap<string, readonly Count[]>): Promise<void> {
    if (this.#options.redis.status !== 'ready') throw new Error('Redis is not connected.')
    const commands: Command[] = [['set', `${this.#options.prefix}since`, this.#options.clock(), 'NX']]
    for (const [publicId, counts] of sites) {
      const hours = new Set<string>()
      for (const {tool, hour, key, number} of counts) {
        const ofHour = `${this.#options.prefix}${publicId}:${hour}`
        commands.push([hour === VISIT.hour ? 'hset' : 'hincrby', ofHour, `${tool} ${key}`, number])
        hours.add(ofHour)
      }
      for (const ofHour of hours) commands.push(['expire', ofHour, KEPT_SECONDS])
    }
    await this.#send(commands).catch(this.#options.onLost)
  }

  async read(publicId: string, from: number, to: number): Promise<StoredCounts> {
    const hours = Array.from({length: Math.min(to - from, KEPT_HOURS) + 1}, (_, ago) => to - ago)
    const counts: Count[] = []
    for (let at = 0; at < hours.length && counts.length < MAX_READ; at += MAX_HOURS) {
      const some = hours.slice(at, at + MAX_HOURS)
      const replies = await this.#send(
        some.map((hour): Command => ['hgetall', `${this.#options.prefix}${publicId}:${hour}`]),
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
    const since = numberIn(await this.#options.redis.get(`${this.#options.prefix}since`))
    return {counts, ...(since !== undefined && {since})}
  }

  /** Everything expires. */
  async prune(): Promise<void> {}

  close(): void {}

  /** @throws the first error of a command */
  async #send(commands: readonly Command[]): Promise<unknown[]> {
    const replies: unknown[] = []
    for (let from = 0; from < commands.length; from += MAX_COMMANDS) {
      const slice = commands.slice(from, from + MAX_COMMANDS).map((command) => [...command])
      for (const [error, reply] of (await this.#options.redis.pipeline(slice).exec()) ?? []) {
        if (error) throw error
        replies.push(reply)
      }
    }
    return replies
  }
}

/** A count or a time of Redis, which other programs may write to; undefined: it is none. */
function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
  return number <= MAX_TIME ? number : undefined
}

type Command = readonly [name: string, ...(string | number)[]]
