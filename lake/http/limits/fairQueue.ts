import {setImmediate, setTimeout} from 'node:timers/promises'
import {refuse} from '../errors.ts'

/** Milliseconds that queries may use before they yield to other work on the event loop. */
const MAX_TURN = 5

/** Milliseconds after which other work gets as much time as the queries used. */
const MAX_STRETCH = 25

type TurnLimits = {
  /** Maximum waiting queries of one client. */
  readonly perClient: number
  /** Maximum waiting queries of all clients. */
  readonly total: number
}

/** All times are in milliseconds. */
type QueueClock = {
  now(): number
  sleep(milliseconds: number): Promise<unknown>
}

const CLOCK: QueueClock = {
  now: () => performance.now(),
  sleep: (milliseconds) => setTimeout(milliseconds),
}

/** A fair queue: runs one query at a time, of each client in turn. So one query holds memory at once. */
export class FairQueue {
  readonly #limits: TurnLimits
  readonly #clock: QueueClock
  /** The waiting queries of each client. The first client is the next one. */
  readonly #queues = new Map<string, (() => void)[]>()
  #size = 0
  #isRunning = false

  constructor(limits: TurnLimits, clock = CLOCK) {
    this.#limits = limits
    this.#clock = clock
  }

  /**
   * Runs the work when it is the client's turn.
   * @param isAbandoned whether the client has disconnected
   * @throws HttpError 429, or what the work throws
   */
  async take<T>(client: string, work: () => T, isAbandoned = () => false): Promise<T> {
    const queue = this.#queues.get(client) ?? []
    if (queue.length >= this.#limits.perClient || this.#size >= this.#limits.total)
      throw refuse.tooMuch('Too many queries at the same time', 1)
    return new Promise<T>((resolve, reject) => {
      queue.push(() => {
        try {
          if (isAbandoned()) throw refuse.badRequest('The client has disconnected')
          resolve(work())
        } catch (error) {
          reject(error)
        }
      })
      this.#queues.set(client, queue)
      this.#size += 1
      if (!this.#isRunning) void this.#run()
    })
  }

  /** Runs until the queue is empty. */
  async #run(): Promise<void> {
    this.#isRunning = true
    await setImmediate()
    let used = 0
    for (let [next] = this.#queues; next !== undefined; [next] = this.#queues) {
      const [client, queue] = next
      const run = queue.shift()
      this.#queues.delete(client)
      if (queue.length > 0) this.#queues.set(client, queue)
      this.#size -= 1
      const start = this.#clock.now()
      run?.()
      used += this.#clock.now() - start
      if (used < MAX_TURN && this.#size > 0) continue
      await this.#rest(used)
      used = 0
    }
    this.#isRunning = false
  }

  /** Yields to other work: after a long stretch, for as long as it took. */
  async #rest(used: number): Promise<void> {
    if (used > MAX_STRETCH) await this.#clock.sleep(used)
    else await setImmediate()
  }
}
