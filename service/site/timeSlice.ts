import {setImmediate} from 'node:timers/promises'

/** Milliseconds that a piece of work may take while requests wait, roughly. */
const SLICE = 5

/** Where all that is long waits for the next turn of the event loop: one slice to a turn, however much is under way. */
let line: Promise<unknown> = Promise.resolve()

/** Work that takes longer than a visitor should wait, done in slices. */
export class TimeSlice {
  #sliceBegan = performance.now()

  /** To be awaited between two steps: lets requests pass when a slice is over. */
  async yieldIfOver(): Promise<void> {
    if (performance.now() - this.#sliceBegan < SLICE) return
    line = line.then(() => setImmediate())
    await line
    this.#sliceBegan = performance.now()
  }
}
