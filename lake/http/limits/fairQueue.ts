import {setImmediate, setTimeout} from 'node:timers/promises'
import {Tally} from '../../../common/limits/tally.ts'
import type {SlicedWork} from '../../query/run.ts'
import {refuse} from '../errors.ts'

/** Milliseconds that queries may use before they yield to other work on the event loop. */
const MAX_TURN = 5

/** Milliseconds after which other work gets as much time as the queries used. */
const MAX_STRETCH = 25

export type TurnLimits = {
  /** Maximum waiting queries of one client. */
  readonly perClient: number
  /** Maximum waiting queries of all clients. */
  readonly total: number
}

/** All times are in milliseconds. */
export type QueueClock = {
  now(): number
  sleep(milliseconds: number): Promise<unknown>
}

const CLOCK: QueueClock = {
  now: () => performance.now(),
  sleep: (milliseconds) => setTimeout(milliseconds),
}

/** A waiting query. `step` resolves or rejects it. */
type Job = {
  readonly client: string
  readonly isAbandoned: () => boolean
  /** Runs one slice. Returns whether the query is done. */
  readonly step: (isFirst: boolean) => boolean
  readonly refuse: (error: unknown) => void
}

/**
 * A fair queue: runs one query of each client at a time, round-robin. A query that does not finish in its
 * first slice starts over in the queue of slow queries, of which one at a time is evaluated in slices. So at
 * most two queries hold memory at once, and fast queries do not wait for slow ones.
 */
export class FairQueue {
  readonly #limits: TurnLimits
  readonly #clock: QueueClock
  readonly #fast = new RoundRobin()
  readonly #slow = new RoundRobin()
  /** The slow query that is being evaluated. */
  #current: Job | undefined
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
  async take<T>(client: string, work: SlicedWork<T>, isAbandoned = () => false): Promise<T> {
    if (this.#waiting.of(client) >= this.#limits.perClient || this.#total >= this.#limits.total)
      throw refuse.tooMuch('Too many queries at the same time', 1)
    this.#waiting.add(client)
    this.#total += 1
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#fast.add(this.#jobOf(client, work, isAbandoned, resolve, reject))
        if (!this.#isRunning) this.#run().catch(reject)
      })
    } finally {
      this.#total -= 1
      this.#waiting.remove(client)
    }
  }

  #jobOf<T>(
    client: string,
    work: SlicedWork<T>,
    isAbandoned: () => boolean,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): Job {
    let slices: Generator<undefined, T> | undefined
    const step = (isFirst: boolean): boolean => {
      if (isFirst) {
        const done = work.atOnce()
        if (done !== undefined) resolve(done.value)
        return done !== undefined
      }
      slices ??= work.inSlices()
      const {done, value} = slices.next()
      if (done === true) resolve(value)
      return done === true
    }
    return {client, isAbandoned, step, refuse: reject}
  }

  /** Runs until the queue is empty. */
  async #run(): Promise<void> {
    this.#isRunning = true
    try {
      let used = 0
      await setImmediate()
      while (this.#hasWork()) {
        const start = this.#clock.now()
        this.#turn()
        used += this.#clock.now() - start
        if (used < MAX_TURN && this.#hasWork()) continue
        await this.#rest(used)
        used = 0
      }
    } finally {
      this.#isRunning = false
    }
  }

  #hasWork(): boolean {
    return this.#fast.size > 0 || this.#slow.size > 0 || this.#current !== undefined
  }

  /** Runs one fast query, and one slice of a slow one. */
  #turn(): void {
    const fast = this.#fast.next()
    if (fast !== undefined && !this.#work(fast, true)) this.#slow.add(fast)
    this.#current ??= this.#slow.next()
    if (this.#current !== undefined && this.#work(this.#current, false)) this.#current = undefined
  }

  /** Runs one slice of a query. Returns whether the query has ended. */
  #work(job: Job, isFirst: boolean): boolean {
    try {
      if (job.isAbandoned()) throw refuse.badRequest('The client has disconnected')
      return job.step(isFirst)
    } catch (error) {
      job.refuse(error)
      return true
    }
  }

  /** Yields to other work: after a long stretch, for as long as it took. */
  async #rest(used: number): Promise<void> {
    if (used > MAX_STRETCH) await this.#clock.sleep(used)
    else await setImmediate()
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
