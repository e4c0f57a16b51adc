import {Redis} from 'ioredis'
import {backoffDelay} from '../../common/backoff.ts'
import type {ServiceEvents} from '../events.ts'
import type {Count} from './localCounter.ts'

/** Timeout for Redis, in milliseconds: the longest that a request waits for it. */
const MAX_WAIT = 50

const LOOK_AGAIN_AFTER = 1_000

/**
 * Consecutive failed or successful checks before Redis counts as lost or as back. A busy moment in this
 * process looks like a slow Redis, and an unstable Redis must not be used or reported all the time.
 */
const BAD_LOOKS = 2
const GOOD_LOOKS = 3

/** Timeout for a connection, in milliseconds. */
const CONNECT_TIMEOUT = 2_000

/** Sets the expiry of a window if it has none for any reason, so that no key counts without end. */
const COUNT_SCRIPT = `
local current = redis.call('INCRBY', KEYS[1], ARGV[1])
local ttl = redis.call('PTTL', KEYS[1])
if ttl < 0 then
  ttl = tonumber(ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ttl)
end
return {current, ttl}`

export type SharedCounterOptions = {
  /** URL of one server, with `redis:` or `rediss:`. */
  url: string
  /** Prefix of every key. */
  prefix: string
  /**
   * Receive one event when Redis becomes unavailable and one when it becomes available, including at startup.
   */
  events: ServiceEvents
  /** Interval between checks of an unavailable Redis, in milliseconds. */
  lookAgainAfter?: number
}

/**
 * Counts requests in Redis, together with all replicas that use the same prefix. It never throws and delays a
 * request by 50 ms at most. While Redis is unavailable, it returns no count.
 */
export class SharedCounter {
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
    this.#redis = new Redis(url, {
      commandTimeout: MAX_WAIT,
      connectTimeout: CONNECT_TIMEOUT,
      // A count is only useful for the request that waits for it, so nothing is queued or sent again.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => backoffDelay(times, {first: 100, longest: 1_000}),
      // The check below also detects other problems, such as a full or read-only Redis.
      enableReadyCheck: false,
      protocol: 2,
      disableClientInfo: true,
    })
    this.#redis.on('error', (error) => {
      this.#connectionError = reasonOf(error)
    })
    this.#redis.on('ready', () => {
      this.#connectionError = undefined
      this.#look()
    })
    this.#timer = setInterval(() => this.#look(), lookAgainAfter).unref()
  }

  /**
   * Adds to the count of a key.
   * @param milliseconds length of the window, if this begins one.
   * @returns `undefined` while Redis is unavailable.
   */
  async add(key: string, requests: number, milliseconds: number): Promise<Count | undefined> {
    if (!this.#inUse) return undefined
    try {
      return await this.#count(key, requests, milliseconds)
    } catch {
      // Background checks find out what was wrong. No request waits for them.
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

  /** Counts like a request would: a full or read-only Redis still responds to PING. */
  #look(): void {
    if (this.#inUse || this.#looking || this.#closed) return
    this.#looking = true
    this.#count('look', 1, MAX_WAIT)
      .then(
        () => this.#sawIt(),
        (error) => this.#missedIt(error),
      )
      .finally(() => {
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

  async #count(key: string, requests: number, milliseconds: number): Promise<Count> {
    const reply = await this.#redis.eval(COUNT_SCRIPT, 1, this.#prefix + key, requests, milliseconds)
    const [current, ttl]: unknown[] = Array.isArray(reply) ? reply : []
    if (typeof current !== 'number' || typeof ttl !== 'number')
      throw new Error('Redis did not return a count')
    return {current, ttl}
  }
}

/**
 * Errors of commands include their arguments, which may include a password, so only the message is used. The
 * error for several failed addresses has no message.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
