import {setImmediate} from 'node:timers/promises'

/** How long work may block requests at a time, in milliseconds. */
const SLICE = 5

/** The long-running work of a service or thread. Only one slice of it runs in each turn of the event loop. */
export class SliceQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Resolves in a turn of the event loop that no other work uses. */
  nextTurn(): Promise<unknown> {
    this.#last = this.#last.then(() => setImmediate())
    return this.#last
  }
}

/** Divides long-running work into time slices. */
export class TimeSlice {
  readonly #queue: SliceQueue
  #sliceBegan = performance.now()

  constructor(queue: SliceQueue) {
    this.#queue = queue
  }

  /** Await this between two steps. It lets requests run when a slice is over. */
  async yieldIfOver(): Promise<void> {
    if (performance.now() - this.#sliceBegan < SLICE) return
    await this.#queue.nextTurn()
    this.#sliceBegan = performance.now()
  }
}
