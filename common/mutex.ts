/**
 * Runs asynchronous work one piece at a time, in the order of the calls. A failure does not stop later work.
 */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs `work` after all work before it has settled. @throws what `work` throws */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }

  /** Resolves when all work has settled, also work that other work has queued. */
  async idle(): Promise<void> {
    for (let last: unknown; last !== this.#last; await last) last = this.#last
  }
}
