import {SiteError} from '../errors.ts'

/** Questions on their way at once. With so few, a lake that answers quickly is asked for each by itself. */
const AT_ONCE = 4

/** Keys in one question: twenty sites of a hundred tools take a lake 25 ms, in which nobody else is answered. */
const MOST_TOGETHER = 20

type Waiting<T> = {key: string; resolve: (answer: T) => void; reject: (reason: unknown) => void}

/** Asks for keys one by one as long as they are few, and for many at once where more come than are answered. */
export class RequestBatcher<T> {
  readonly #ask: (keys: readonly string[]) => Promise<(key: string) => T>
  readonly #waiting: Waiting<T>[] = []
  #asked = 0

  /**
   * @param ask sends one query for several keys, and must settle. The function that it resolves with returns the result of
   * one key, or throws what is wrong with that key alone.
   */
  constructor(ask: (keys: readonly string[]) => Promise<(key: string) => T>) {
    this.#ask = ask
  }

  /** @throws what is wrong with this key, or with the query that it was part of. */
  load(key: string): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({key, resolve, reject})
      if (this.#asked < AT_ONCE) void this.#askWaiting()
    })
  }

  async #askWaiting(): Promise<void> {
    this.#asked++
    while (this.#waiting.length > 0) {
      await this.#askTogether(this.#waiting.splice(0, MOST_TOGETHER))
    }
    this.#asked--
  }

  /** Never rejects. Where one key fails the query for all, each is asked for by itself: the others must not fail with it. */
  async #askTogether(batch: readonly Waiting<T>[]): Promise<void> {
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
        for (const waiting of batch) await this.#askTogether([waiting])
      } else for (const {reject} of batch) reject(error)
    }
  }
}
