import {setImmediate} from 'node:timers/promises'
import {refuse} from './errors.ts'

/** Milliseconds after which a transaction yields to other requests. */
const SLICE = 20

/** Milliseconds of processor time that one transaction may take. */
const BUDGET = 3_000

const TOO_SLOW = 'The transaction takes too long: split it into smaller ones'

/** The time of one transaction. It runs in slices and yields to other work between them. */
export class TimeSlices {
  readonly #budget: number
  #start = performance.now()
  #cpu = process.cpuUsage()
  #spent = 0

  constructor(budget = BUDGET) {
    this.#budget = budget
  }

  /**
   * Yields to other work if the slice is used up.
   * @throws RefusedError when the transaction has used up its time
   */
  async turn(): Promise<void> {
    if (performance.now() - this.#start < SLICE) return
    const {user, system} = process.cpuUsage(this.#cpu)
    this.#spent += (user + system) / 1_000
    if (this.#spent > this.#budget) throw refuse.tooLarge(TOO_SLOW)
    await setImmediate()
    this.resume()
  }

  /** Starts a new slice, after waiting for something else. */
  resume(): void {
    this.#start = performance.now()
    this.#cpu = process.cpuUsage()
  }
}
