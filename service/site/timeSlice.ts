import {setImmediate} from 'node:timers/promises'

/** How long work may block requests at a time, in milliseconds. */
const SLICE = 5

/** The queue of all long-running work. Only one slice runs in each turn of the event loop. */
let line: Promise<unknown> = Promise.resolve()

/** Divides long-running work into time slices. */
export class TimeSlice {
  #sliceBegan = performance.now()

  /** Await this between two steps. It lets requests run when a slice is over. */
  async yieldIfOver(): Promise<void> {
    if (performance.now() - this.#sliceBegan < SLICE) return
    line = line.then(() => setImmediate())
    await line
    this.#sliceBegan = performance.now()
  }
}
