import {NotKeptError} from './errors.ts'

/** Runs one piece of work after the other. How many may wait is bounded. */
export class BoundedMutex {
  readonly #most: number
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(most: number) {
    this.#most = most
  }

  /**
   * Runs `work` when everything before it has ended.
   * @throws NotKeptError at once when too much waits; otherwise what `work` throws
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#most) {
      return Promise.reject(new NotKeptError('Nothing was saved: too much is waiting, try again later'))
    }
    this.#waiting += 1
    const result = this.#last.then(work).finally(() => {
      this.#waiting -= 1
    })
    this.#last = result.catch(() => {})
    return result
  }

  /** Resolves when everything that waits now has ended. */
  async idle(): Promise<void> {
    await this.#last
  }
}
