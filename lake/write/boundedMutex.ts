import {Mutex} from '../../common/mutex.ts'
import {NotKeptError} from '../../content/drafts/notKept.ts'

/** A mutex with a bounded queue. */
export class BoundedMutex extends Mutex {
  readonly #most: number
  #waiting = 0

  constructor(most: number) {
    super()
    this.#most = most
  }

  /** @throws NotKeptError at once if the queue is full; otherwise what `work` throws */
  override async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#most)
      throw new NotKeptError('Nothing was saved: too many requests are waiting, try again later')
    this.#waiting += 1
    try {
      return await super.run(work)
    } finally {
      this.#waiting -= 1
    }
  }
}
