import type {Redis} from 'ioredis'
import {connectRedis} from '../limits/redis.ts'
import {
  type Batch,
  type Count,
  type CountsStore,
  HOUR,
  MAX_COUNTERS,
  MAX_READ,
  type StoredCounts,
  type VisitTimes,
} from './store.ts'

/** How long calls are kept: less than on a disk, because memory is dear. */
const KEPT_HOURS = 92 * 24
const KEPT_SECONDS = KEPT_HOURS * 3_600

/** The last time that has a date, in milliseconds since 1970 (ECMA-262, “Time Values and Time Range”), below which sums are exact. */
const MAX_TIME = 8.64e15

/** Seconds for which Redis knows a batch: a reply may be lost, and the batch is sent again. */
const BATCH_SECONDS = 600

/** Maximum characters of the name of a counter: a tool, an outcome and a bucket. Those of other programs can have any length. */
const MAX_NAME = 300

/** Commands that are sent at a time, so that each gets its reply in time. */
const MAX_COMMANDS = 24

/**
 * Adds to an hour of a site, once for each batch. From the fourth on, arguments are fields and numbers in turn. What would be a
 * counter too many is left out.
 */
const ADD_SCRIPT = `
if not redis.call('SET', KEYS[1], 1, 'NX', 'EX', ARGV[1]) then return 0 end
local room = tonumber(ARGV[3]) - redis.call('HLEN', KEYS[2])
for index = 4, #ARGV, 2 do
  local isNew = redis.call('HEXISTS', KEYS[2], ARGV[index]) == 0
  if not isNew or room > 0 then redis.call('HINCRBY', KEYS[2], ARGV[index], ARGV[index + 1]) end
  if isNew then room = room - 1 end
end
redis.call('EXPIRE', KEYS[2], ARGV[2])
return 1`

/** The fields and numbers of an hour in turn; none if others wrote more than there can be. */
const READ_SCRIPT = `
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[1]) then return {} end
return redis.call('HGETALL', KEYS[1])`

type RedisCountsOptions = {
  readonly url: string
  /** Prefix of every key. */
  readonly prefix: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Calls and visits of all replicas that use the same prefix: a hash for each hour of a site, with a field for each counter,
 * and a sorted set for its visits. They expire.
 * The counter of requests, which uses the same Redis, says when it is lost.
 */
export class RedisCounts implements CountsStore {
  readonly #redis: Redis
  readonly #prefix: string
  readonly #clock: () => number

  /** The connection is made in the background. */
  constructor({url, prefix, clock}: RedisCountsOptions) {
    this.#prefix = prefix
    this.#clock = clock
    this.#redis = connectRedis(url)
    this.#redis.on('error', () => {})
  }

  async add({id, sites}: Batch): Promise<void> {
    const commands: Command[] = [['set', this.#sinceKey, this.#clock(), 'NX']]
    for (const {publicId, counts, visits} of sites) {
      const byHour = new Map<number, (string | number)[]>()
      for (const {tool, hour, key, number} of counts) {
        const fields = byHour.get(hour) ?? []
        fields.push(`${tool} ${key}`, number)
        byHour.set(hour, fields)
      }
      for (const [hour, fields] of byHour)
        commands.push([
          'eval',
          ADD_SCRIPT,
          2,
          `${this.#prefix}batch:${id}:${publicId}:${hour}`,
          this.#keyOf(publicId, hour),
          BATCH_SECONDS,
          KEPT_SECONDS,
          MAX_COUNTERS,
          ...fields,
        ])
      if (visits.size > 0) commands.push(...this.#visitCommands(publicId, visits))
    }
    await this.#send(commands)
  }

  async read(publicId: string, from: number): Promise<StoredCounts> {
    const hours = this.#hoursSince(from)
    const counts: Count[] = []
    for (let at = 0; at < hours.length && counts.length < MAX_READ; at += MAX_COMMANDS) {
      const some = hours.slice(at, at + MAX_COMMANDS)
      const commands = some.map(
        (hour): Command => ['eval', READ_SCRIPT, 1, this.#keyOf(publicId, hour), MAX_COUNTERS],
      )
      const replies = await this.#send(commands)
      for (const [index, hour] of some.entries()) {
        const reply: unknown = replies[index]
        const fields: readonly unknown[] = Array.isArray(reply) ? reply : []
        for (let field = 0; field + 1 < fields.length; field += 2) {
          const number = numberIn(fields[field + 1])
          const name = String(fields[field])
          if (number === undefined || name.length > MAX_NAME) continue
          const [tool = '', ...key] = name.split(' ')
          counts.push({tool, hour, key: key.join(' '), number})
        }
      }
    }
    const since = numberIn(await this.#redis.get(this.#sinceKey))
    return {counts, ...(since !== undefined && {since})}
  }

  /** A later batch with the same times changes nothing. */
  #visitCommands(publicId: string, visits: VisitTimes): Command[] {
    const key = this.#visitsKey(publicId)
    return [
      ['zadd', key, 'GT', ...[...visits].flatMap(([tool, at]) => [at, tool])],
      ['zremrangebyscore', key, 0, this.#clock() - KEPT_SECONDS * 1_000],
      ['expire', key, KEPT_SECONDS],
    ]
  }

  async visitsOf(publicId: string): Promise<VisitTimes> {
    const reply = await this.#redis.zrange(
      this.#visitsKey(publicId),
      '0',
      `${MAX_COUNTERS - 1}`,
      'WITHSCORES',
    )
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
    const now = this.#hour()
    return Array.from({length: Math.max(0, Math.min(now - since, KEPT_HOURS) + 1)}, (_, ago) => now - ago)
  }

  #hour(): number {
    return Math.floor(this.#clock() / HOUR)
  }

  /** Never evicted by `volatile-ttl`. */
  get #sinceKey(): string {
    return `${this.#prefix}since`
  }

  #visitsKey(publicId: string): string {
    return `${this.#prefix}visits:${publicId}`
  }

  #keyOf(publicId: string, hour: number): string {
    return `${this.#prefix}${publicId}:${hour}`
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
