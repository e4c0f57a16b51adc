import {NotKeptError} from '../../content/drafts/notKept.ts'

/** A mutex with a bounded queue. */
export class BoundedMutex {
  readonly #most: number
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(most: number) {
    this.#most = most
  }

  /**
   * Runs `work` after all work that was queued before it.
   * @throws NotKeptError at once if the queue is full; otherwise what `work` throws
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#most) {
      return Promise.reject(
        new NotKeptError('Nothing was saved: too many requests are waiting, try again later'),
      )
    }
    this.#waiting += 1
    const result = this.#last.then(work).finally(() => {
      this.#waiting -= 1
    })
    this.#last = result.catch(() => {})
    return result
  }

  /** Resolves when all work queued so far has settled. */
  async idle(): Promise<void> {
    await this.#last
  }
}
