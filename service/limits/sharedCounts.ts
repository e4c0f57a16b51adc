import type {Redis} from 'ioredis'
import {inBackground} from '../../common/background.ts'
import type {ServiceEvents} from '../events.ts'
import {messagesIn} from '../upstream/upstreamFailure.ts'
import {WINDOW, type Window} from './windows.ts'

/** Interval of reports, in milliseconds: windows that become due meanwhile share one. */
const REPORT_EVERY = 100

/** Interval in milliseconds after which Redis is checked also if there is nothing to report: it may hang or be full. */
const CHECK_EVERY = 2_000

/** Maximum windows in one report, so that it does not delay those of other replicas. */
const MAX_WINDOWS = 500

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

/** The window of a key that nothing counts with: a full or read-only Redis still responds to PING. */
const CHECK = {key: 'check', requests: 1, milliseconds: 1_000}

type SharedCountsOptions = {
  readonly redis: Redis
  /** Prefix of every key. */
  readonly prefix: string
  /** Receive one event when Redis becomes unavailable and one when it becomes available, including at startup. */
  readonly events: ServiceEvents
}

/** Adds the windows of this process to those of all replicas that use the same prefix, in the background. */
export class SharedCounts {
  readonly #options: SharedCountsOptions
  readonly #timer: NodeJS.Timeout
  #due = new Map<string, Window>()
  #isSending = false
  #sentAt = Number.NEGATIVE_INFINITY
  /** Whether requests are counted in Redis. Undefined: not yet known. */
  #isShared: boolean | undefined
  /** In a row: a busy moment in this process looks like a slow Redis. */
  #failures = 0

  constructor(options: SharedCountsOptions) {
    this.#options = options
    const {redis} = options
    const send = () =>
      void inBackground(() => this.#send(), {onFailure: (error) => options.events.emit('workFailed', error)})
    // Without a connection, errors of commands do not include the reason.
    redis.on('error', (error) => this.#saw(false, error))
    redis.on('ready', send)
    const isDue = () =>
      this.#due.size > 0 || (redis.status === 'ready' && performance.now() - this.#sentAt > CHECK_EVERY)
    this.#timer = setInterval(() => isDue() && send(), REPORT_EVERY).unref()
  }

  /** Reports a window soon. While Redis is lost, its requests are part of a later report. */
  add(key: string, window: Window): void {
    if (this.#isShared) this.#due.set(key, window)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#isSending = true
  }

  async #send(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    const now = performance.now()
    this.#sentAt = now
    const sent = [...this.#due].slice(0, MAX_WINDOWS).map(([key, window]) => {
      this.#due.delete(key)
      const {current, reported, endsAt} = window
      // Not sent again if there is no reply: it may have been counted, and a client could be refused wrongly.
      window.reported = current
      const milliseconds = Math.max(1, Math.ceil(endsAt - now))
      return {window, current, key, requests: current - reported, milliseconds}
    })
    try {
      const counts = await this.#count([CHECK, ...sent])
      for (const [at, {window, current}] of sent.entries()) {
        const [total = current, left = 0] = counts[at + 1] ?? []
        const ofOthers = Math.max(0, total - current)
        window.current += ofOthers
        window.reported += ofOthers
        // A wrong answer must not count for longer than a window lasts.
        window.endsAt = performance.now() + Math.min(left, WINDOW)
      }
      this.#saw(true)
    } catch (error) {
      // Without a connection, the result of the next attempt is the reason.
      if (this.#options.redis.status === 'ready') {
        // Reconnect, because the host name may point to another server by now, for example after a failover.
        this.#options.redis.stream.destroy()
        this.#failures += 1
        if (this.#failures > 1) this.#saw(false, error)
      }
    }
    this.#isSending = false
  }

  #saw(isThere: boolean, reason?: unknown): void {
    if (isThere) this.#failures = 0
    if (isThere === this.#isShared) return
    this.#isShared = isThere
    this.#due.clear()
    // Errors of commands have their arguments, which may include a password: only the message is told.
    this.#options.events.emit('limits', isThere, ...(isThere ? [] : [messagesIn(reason)]))
  }

  /** @returns for each key, the count of all replicas, and the milliseconds until its window ends */
  async #count(
    additions: readonly {readonly key: string; readonly requests: number; readonly milliseconds: number}[],
  ): Promise<[current: number, ttl: number][]> {
    const keys = additions.map(({key}) => this.#options.prefix + key)
    const numbers = additions.flatMap(({requests, milliseconds}) => [requests, milliseconds])
    const reply: unknown = await this.#options.redis.eval(COUNT_SCRIPT, keys.length, ...keys, ...numbers)
    const counts = Array.isArray(reply) ? reply.flatMap(countIn) : []
    if (counts.length < additions.length) throw new Error('Redis did not return a count for each key')
    return counts
  }
}

function countIn(reply: unknown): [current: number, ttl: number][] {
  const [current, ttl]: unknown[] = Array.isArray(reply) ? reply : []
  return typeof current === 'number' && typeof ttl === 'number' ? [[current, ttl]] : []
}
