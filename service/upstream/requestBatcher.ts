import {SiteError} from '../errors.ts'

/** Maximum concurrent queries. With so few, a fast upstream gets one query for each key. */
const AT_ONCE = 4

/**
 * Maximum keys in a batch. Twenty sites of a hundred tools take a lake 25 ms, during which it serves no other
 * request.
 */
const MAX_BATCH = 20

type Waiting<T> = {key: string; resolve: (answer: T) => void; reject: (reason: unknown) => void}

/** Loads keys one by one under low load, and in batches when keys arrive faster than responses. */
export class RequestBatcher<T> {
  readonly #ask: (keys: readonly string[]) => Promise<(key: string) => T>
  readonly #waiting: Waiting<T>[] = []
  #asked = 0

  /**
   * @param ask sends one query for several keys, and must settle. It resolves with a function that returns
   * the result of one key, or throws the error of that key.
   */
  constructor(ask: (keys: readonly string[]) => Promise<(key: string) => T>) {
    this.#ask = ask
  }

  /** @throws the error of this key, or of the query that included it. */
  load(key: string): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({key, resolve, reject})
      if (this.#asked < AT_ONCE) void this.#askWaiting()
    })
  }

  async #askWaiting(): Promise<void> {
    this.#asked++
    while (this.#waiting.length > 0) {
      await this.#sendBatch(this.#waiting.splice(0, MAX_BATCH))
    }
    this.#asked--
  }

  /**
   * Never rejects. If one key fails the whole query, each key is loaded separately, so that the others still
   * succeed.
   */
  async #sendBatch(batch: readonly Waiting<T>[]): Promise<void> {
    try {
      const answer = await this.#ask(batch.map(({key}) => key))
      for (const {key, resolve, reject} of batch) {
        try {
          resolve(answer(key))
        } catch (error) {
          reject(error)
        }
      }
    } catch (error) {
      if (error instanceof SiteError && batch.length > 1) {
        for (const waiting of batch) await this.#sendBatch([waiting])
      } else for (const {reject} of batch) reject(error)
    }
  }
}
