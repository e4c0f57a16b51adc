import {setImmediate} from 'node:timers/promises'
import {refuse} from './errors.ts'

/** Milliseconds after which other requests get a turn of the event loop. */
const SLICE = 20

/** Milliseconds of processor time that one transaction may take. */
const BUDGET = 3_000

/** The time of one transaction. It is done in slices; between two of them the process does something else. */
export class TimeSlices {
  readonly #budget: number
  #start = performance.now()
  #cpu = process.cpuUsage()
  #spent = 0

  constructor(budget = BUDGET) {
    this.#budget = budget
  }

  /**
   * Lets others go first where the slice is used up.
   * @throws RefusedError when the transaction has used up its time
   */
  async turn(): Promise<void> {
    if (performance.now() - this.#start < SLICE) return
    const {user, system} = process.cpuUsage(this.#cpu)
    this.#spent += (user + system) / 1_000
    if (this.#spent > this.#budget) throw refuse.tooMuchWork()
    await setImmediate()
    this.resume()
  }

  /** Begins a new slice, after something else was waited for. */
  resume(): void {
    this.#start = performance.now()
    this.#cpu = process.cpuUsage()
  }
}
