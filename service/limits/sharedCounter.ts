import {Redis} from 'ioredis'
import type {ServiceEvents} from '../events.ts'
import type {Count} from './localCounter.ts'

/** Milliseconds that Redis has for one answer: the longest that a request ever waits for it. */
const PATIENCE = 50

const LOOK_AGAIN_AFTER = 1_000

/**
 * Looks in a row after which it is said to be gone, or to be back: a busy moment of this process looks like a slow Redis,
 * and one that comes and goes is not to be reported, or relied on, all the time.
 */
const BAD_LOOKS = 2
const GOOD_LOOKS = 3

/** Milliseconds for a connection to be made. */
const CONNECT_TIMEOUT = 2_000

/** A window that was left without an end, by whatever means, gets one: no key counts for ever. */
const COUNT_SCRIPT = `
local current = redis.call('INCRBY', KEYS[1], ARGV[1])
local ttl = redis.call('PTTL', KEYS[1])
if ttl < 0 then
  ttl = tonumber(ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ttl)
end
return {current, ttl}`

export type SharedCounterOptions = {
  /** Of one server, with `redis:` or `rediss:`. */
  url: string
  /** Of every key. */
  prefix: string
  /** Hear of it once when Redis cannot be asked, and once when it can, at the start too. */
  events: ServiceEvents
  /** Milliseconds between two looks at a Redis that cannot be asked. */
  lookAgainAfter?: number
}

/**
 * Counts requests in Redis, together with all replicas that use the same prefix. It never throws, and keeps no request
 * waiting for longer than 50 ms: while Redis cannot be asked, it has no count.
 */
export class SharedCounter {
  readonly #redis: Redis
  readonly #prefix: string
  readonly #events: ServiceEvents
  readonly #timer: NodeJS.Timeout
  /** Whether requests ask it. */
  #inUse = false
  #said: 'nothing' | 'found' | 'lost' = 'nothing'
  /** How many looks in a row went the same way. */
  #looks = {good: 0, bad: 0}
  #looking = false
  #closed = false
  /** Why there is no connection: a command that needs one does not say. */
  #connectionError: string | undefined

  /** The connection is made in the background. */
  constructor({url, prefix, events, lookAgainAfter = LOOK_AGAIN_AFTER}: SharedCounterOptions) {
    this.#prefix = prefix
    this.#events = events
    this.#redis = new Redis(url, {
      commandTimeout: PATIENCE,
      connectTimeout: CONNECT_TIMEOUT,
      // What cannot be sent now is of no use later: a count is for the request that waits for it.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(100 * times, 1_000) * (0.5 + Math.random() / 2),
      // Whether it can count is looked at below, in one way for all that may be wrong.
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
   * @param milliseconds of the window that begins where the key has none.
   * @returns undefined while Redis cannot be asked.
   */
  async add(key: string, requests: number, milliseconds: number): Promise<Count | undefined> {
    if (!this.#inUse) return undefined
    try {
      return await this.#count(key, requests, milliseconds)
    } catch {
      // Looks decide what it was, and no request waits for them.
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

  /** Asks it to count, as a request would: one that is full or read-only still answers a PING. */
  #look(): void {
    if (this.#inUse || this.#looking || this.#closed) return
    this.#looking = true
    this.#count('look', 1, PATIENCE)
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
    // Where one connection was closed without a word, what becomes of the next one is the reason.
    const reason = connected ? reasonOf(error) : this.#connectionError
    if (this.#said !== 'lost' && reason !== undefined) {
      this.#said = 'lost'
      this.#events.emit('limits', false, reason)
    }
    // Whatever is wrong, the same name may be another server by now, as after a failover.
    if (connected) this.#redis.stream.destroy()
  }

  async #count(key: string, requests: number, milliseconds: number): Promise<Count> {
    const reply = await this.#redis.eval(COUNT_SCRIPT, 1, this.#prefix + key, requests, milliseconds)
    const [current, ttl]: unknown[] = Array.isArray(reply) ? reply : []
    if (typeof current !== 'number' || typeof ttl !== 'number')
      throw new Error('it answered with something else than a count')
    return {current, ttl}
  }
}

/** The errors of a command carry its arguments, a password among them, and several failed addresses no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
