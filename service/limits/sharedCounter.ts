import type {Redis} from 'ioredis'
import {inBackground} from '../../common/background.ts'
import {wait} from '../../common/backoff.ts'
import type {ServiceEvents} from '../events.ts'
import type {Count} from './localCounter.ts'
import {connectRedis, REDIS_TIMEOUT} from './redis.ts'
import type {Addition, FleetCounts} from './reports.ts'

/** Pause before a report, in milliseconds. With many clients, reports without it take a tenth of the CPU. */
const PAUSE = 10

const LOOK_AGAIN_AFTER = 1_000

/**
 * Consecutive failed or successful checks before Redis counts as lost or as back. A busy moment in this
 * process looks like a slow Redis, and an unstable Redis must not be used or reported all the time.
 */
const BAD_LOOKS = 2
const GOOD_LOOKS = 3

/** Sets the expiry of a window if it has none for any reason, so that no key counts without end. */
const COUNT_SCRIPT = `
local counts = {}
for index, key in ipairs(KEYS) do
  local current = redis.call('INCRBY', key, ARGV[2 * index - 1])
  local ttl = redis.call('PTTL', key)
  if ttl < 0 then
    ttl = tonumber(ARGV[2 * index])
    redis.call('PEXPIRE', key, ttl)
  end
  counts[index] = {current, ttl}
end
return counts`

type SharedCounterOptions = {
  /** URL of one server, with `redis:` or `rediss:`. */
  readonly url: string
  /** Prefix of every key. */
  readonly prefix: string
  /**
   * Receive one event when Redis becomes unavailable and one when it becomes available, including at startup.
   */
  readonly events: ServiceEvents
  /** Interval between checks of Redis, in milliseconds. */
  readonly lookAgainAfter?: number
}

/** Counts requests in Redis, together with all replicas that use the same prefix. */
export class SharedCounter implements FleetCounts {
  readonly #redis: Redis
  readonly #prefix: string
  readonly #events: ServiceEvents
  readonly #timer: NodeJS.Timeout
  /** Whether requests are counted in Redis. */
  #inUse = false
  #said: 'nothing' | 'found' | 'lost' = 'nothing'
  /** Consecutive checks with the same result. */
  #looks = {good: 0, bad: 0}
  #looking = false
  #closed = false
  /** Why there is no connection. The errors of commands do not include the reason. */
  #connectionError: string | undefined

  /** The connection is made in the background. */
  constructor({url, prefix, events, lookAgainAfter = LOOK_AGAIN_AFTER}: SharedCounterOptions) {
    this.#prefix = prefix
    this.#events = events
    this.#redis = connectRedis(url)
    this.#redis.on('error', (error) => {
      this.#connectionError = reasonOf(error)
    })
    this.#redis.on('ready', () => {
      this.#connectionError = undefined
      this.#look()
    })
    this.#timer = setInterval(() => this.#look(), lookAgainAfter).unref()
  }

  get isAvailable(): boolean {
    return this.#inUse
  }

  pause(): Promise<void> {
    return wait(PAUSE)
  }

  async add(additions: readonly Addition[]): Promise<readonly Count[] | undefined> {
    if (!this.#inUse) return undefined
    try {
      return await this.#count(additions)
    } catch {
      // Background checks find out what was wrong.
      this.#inUse = false
      this.#look()
      return undefined
    }
  }

  close(): void {
    this.#closed = true
    clearInterval(this.#timer)
    this.#redis.disconnect()
  }

  /**
   * Counts like a request would: a full or read-only Redis still responds to PING. Also while Redis is in use, because there may
   * be no requests that would notice that it is lost.
   */
  #look(): void {
    if (this.#looking || this.#closed) return
    this.#looking = true
    const look = async () => {
      await this.#count([{key: 'look', requests: 1, milliseconds: REDIS_TIMEOUT}])
      this.#sawIt()
    }
    void inBackground(look, {onFailure: (error) => this.#missedIt(error)}).finally(() => {
      this.#looking = false
    })
  }

  #sawIt(): void {
    this.#looks = {good: this.#looks.good + 1, bad: 0}
    if (this.#said === 'lost' && this.#looks.good < GOOD_LOOKS) return
    this.#inUse = true
    if (this.#said === 'found') return
    this.#said = 'found'
    this.#events.emit('limits', true)
  }

  #missedIt(error: unknown): void {
    if (this.#closed) return
    this.#inUse = false
    this.#looks = {good: 0, bad: this.#looks.bad + 1}
    if (this.#looks.bad < BAD_LOOKS) return
    const connected = this.#redis.status === 'ready'
    // If a connection closed without an error, the result of the next attempt is the reason.
    const reason = connected ? reasonOf(error) : this.#connectionError
    if (this.#said !== 'lost' && reason !== undefined) {
      this.#said = 'lost'
      this.#events.emit('limits', false, reason)
    }
    // Reconnect, because the host name may point to another server by now, for example after a failover.
    if (connected) this.#redis.stream.destroy()
  }

  async #count(additions: readonly Addition[]): Promise<readonly Count[]> {
    const keys = additions.map(({key}) => this.#prefix + key)
    const numbers = additions.flatMap(({requests, milliseconds}) => [requests, milliseconds])
    const reply: unknown = await this.#redis.eval(COUNT_SCRIPT, keys.length, ...keys, ...numbers)
    const counts = Array.isArray(reply) ? reply.flatMap(countFrom) : []
    if (counts.length < additions.length) throw new Error('Redis did not return a count for each key')
    return counts
  }
}

function countFrom(reply: unknown): Count[] {
  const [current, ttl]: unknown[] = Array.isArray(reply) ? reply : []
  return typeof current === 'number' && typeof ttl === 'number' ? [{current, ttl}] : []
}

/**
 * Errors of commands include their arguments, which may include a password, so only the message is used. The
 * error for several failed addresses has no message.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
