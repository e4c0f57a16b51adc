import {setImmediate, setTimeout} from 'node:timers/promises'
import {LRUCache} from 'lru-cache'
import type {SlicedWork} from '../../query/run.ts'
import {refuse} from '../errors.ts'

/** Milliseconds that queries may use before they yield to other work on the event loop. */
const MAX_TURN = 5

/** Milliseconds after which other work gets as much time as the queries used, whatever their share is. */
const MAX_STRETCH = 25

/** The window in which {@link TurnLimits.allowance} is counted, in milliseconds. */
const WINDOW = 60_000

/** Maximum number of clients whose processor time is remembered. */
const MAX_CLIENTS = 10_000

export type TurnLimits = {
  /** The share of the event loop's time that all clients together may use. */
  readonly share: number
  /** Maximum waiting queries of one client. */
  readonly perClient: number
  /** Maximum waiting queries of all clients. */
  readonly total: number
  /** Milliseconds of processor time per minute for the slow queries of one client. */
  readonly allowance?: number
  /** Milliseconds of each query that do not count against the allowance. */
  readonly free?: number
}

/** All times are in milliseconds. */
export type QueueClock = {
  now(): number
  /** Of this process: on a loaded machine, time passes while it does not run. */
  processorTime(): number
  sleep(milliseconds: number): Promise<unknown>
}

const CLOCK: QueueClock = {
  now: () => performance.now(),
  processorTime: () => {
    const {user, system} = process.cpuUsage()
    return (user + system) / 1_000
  },
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
  readonly #waiting = new Map<string, number>()
  #total = 0
  #isRunning = false
  readonly #spent = new LRUCache<string, number>({max: MAX_CLIENTS, ttl: WINDOW, noUpdateTTL: true})

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
    const waiting = this.#waiting.get(client) ?? 0
    if (waiting >= this.#limits.perClient || this.#total >= this.#limits.total) throw tooMany(1)
    this.#requireAllowance(client)
    this.#waiting.set(client, waiting + 1)
    this.#total += 1
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#fast.add(this.#jobOf(client, work, isAbandoned, resolve, reject))
        if (!this.#isRunning) this.#run().catch(reject)
      })
    } finally {
      this.#total -= 1
      const left = (this.#waiting.get(client) ?? 1) - 1
      if (left > 0) this.#waiting.set(client, left)
      else this.#waiting.delete(client)
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
    const fast = this.#next(this.#fast)
    if (fast !== undefined && !this.#work(fast, true)) this.#slow.add(fast)
    this.#current ??= this.#next(this.#slow)
    if (this.#current !== undefined && this.#work(this.#current, false)) this.#current = undefined
  }

  /** Returns the next job, unless its client has used up its allowance since the job was queued. */
  #next(queue: RoundRobin): Job | undefined {
    const job = queue.next()
    try {
      if (job !== undefined) this.#requireAllowance(job.client)
      return job
    } catch (error) {
      job?.refuse(error)
      return undefined
    }
  }

  /** Runs one slice of a query. Returns whether the query has ended. */
  #work(job: Job, isFirst: boolean): boolean {
    const start = this.#clock.processorTime()
    try {
      if (job.isAbandoned()) throw refuse.badRequest('The client has disconnected')
      return job.step(isFirst)
    } catch (error) {
      job.refuse(error)
      return true
    } finally {
      const used = this.#clock.processorTime() - start
      this.#count(job.client, used - (isFirst ? (this.#limits.free ?? 0) : 0))
    }
  }

  /** Yields to other work for long enough that the time used stays within the share. */
  async #rest(used: number): Promise<void> {
    const milliseconds = used * Math.max(1 / this.#limits.share - 1, used > MAX_STRETCH ? 1 : 0)
    if (milliseconds >= 1) await this.#clock.sleep(milliseconds)
    else await setImmediate()
  }

  #count(client: string, milliseconds: number): void {
    if (this.#limits.allowance === undefined || milliseconds <= 0) return
    this.#spent.set(client, (this.#spent.get(client) ?? 0) + milliseconds)
  }

  #requireAllowance(client: string): void {
    const {allowance} = this.#limits
    if (allowance === undefined || (this.#spent.get(client) ?? 0) <= allowance) return
    throw tooMany(Math.max(1, Math.ceil(this.#spent.getRemainingTTL(client) / 1_000)))
  }
}

/** Work for a queue that is not split into slices. */
export function undivided<T>(work: () => T): SlicedWork<T> {
  return {
    atOnce: () => ({value: work()}),
    *inSlices() {
      yield
      return work()
    },
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

function tooMany(seconds: number): Error {
  return refuse.tooMuch('Too many queries, or queries that are too slow', seconds)
}
