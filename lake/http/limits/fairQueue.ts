import {setImmediate, setTimeout} from 'node:timers/promises'
import {Tally} from '../../../common/limits/tally.ts'
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

/** A waiting query. */
type Job = {
  readonly client: string
  readonly isAbandoned: () => boolean
  readonly run: () => void
  readonly refuse: (error: unknown) => void
}

/** A fair queue: runs one query at a time, of each client in turn. So one query holds memory at once. */
export class FairQueue {
  readonly #limits: TurnLimits
  readonly #clock: QueueClock
  readonly #jobs = new RoundRobin()
  readonly #waiting = new Tally()
  #total = 0
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
    if (this.#waiting.of(client) >= this.#limits.perClient || this.#total >= this.#limits.total)
      throw refuse.tooMuch('Too many queries at the same time', 1)
    this.#waiting.add(client)
    this.#total += 1
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#jobs.add({client, isAbandoned, run: () => resolve(work()), refuse: reject})
        if (!this.#isRunning) this.#run().catch(reject)
      })
    } finally {
      this.#total -= 1
      this.#waiting.remove(client)
    }
  }

  /** Runs until the queue is empty. */
  async #run(): Promise<void> {
    this.#isRunning = true
    try {
      let used = 0
      await setImmediate()
      for (let job = this.#jobs.next(); job !== undefined; job = this.#jobs.next()) {
        const start = this.#clock.now()
        run(job)
        used += this.#clock.now() - start
        if (used < MAX_TURN && this.#jobs.size > 0) continue
        await this.#rest(used)
        used = 0
      }
    } finally {
      this.#isRunning = false
    }
  }

  /** Yields to other work: after a long stretch, for as long as it took. */
  async #rest(used: number): Promise<void> {
    if (used > MAX_STRETCH) await this.#clock.sleep(used)
    else await setImmediate()
  }
}

function run(job: Job): void {
  try {
    if (job.isAbandoned()) throw refuse.badRequest('The client has disconnected')
    job.run()
  } catch (error) {
    job.refuse(error)
  }
}

/** Jobs of several clients, taken in round-robin order of the clients. */
class RoundRobin {
  readonly #queues = new Map<string, Job[]>()
  size = 0

  add(job: Job): void {
    const queue = this.#queues.get(job.client)
    if (queue === undefined) this.#queues.set(job.client, [job])
    else queue.push(job)
    this.size += 1
  }

  next(): Job | undefined {
    const [first] = this.#queues
    if (first === undefined) return undefined
    const [client, queue] = first
    const job = queue.shift()
    this.#queues.delete(client)
    if (queue.length > 0) this.#queues.set(client, queue)
    this.size -= 1
    return job
  }
}
