/** Questions on their way at once. With so few, a lake that answers quickly is asked for each by itself. */
const AT_ONCE = 4

/** Keys in one question: twenty sites of a hundred tools take a lake 25 ms, in which nobody else is answered. */
const MOST_TOGETHER = 20

type Waiting<T> = {key: string; resolve: (answer: T) => void; reject: (reason: unknown) => void}

/** Asks for keys one by one as long as they are few, and for many at once where more come than are answered. */
export class Together<T> {
  readonly #ask: (keys: readonly string[]) => Promise<(key: string) => T>
  readonly #waiting: Waiting<T>[] = []
  #asked = 0

  /** @param ask is to end: nobody else looks at the time. */
  constructor(ask: (keys: readonly string[]) => Promise<(key: string) => T>) {
    this.#ask = ask
  }

  /** @throws what became of the question that the key was part of. */
  ask(key: string): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({key, resolve, reject})
      if (this.#asked < AT_ONCE) void this.#askWaiting()
    })
  }

  async #askWaiting(): Promise<void> {
    this.#asked++
    while (this.#waiting.length > 0) {
      const questions = this.#waiting.splice(0, MOST_TOGETHER)
      try {
        const answer = await this.#ask(questions.map(({key}) => key))
        for (const {key, resolve} of questions) resolve(answer(key))
      } catch (error) {
        for (const {reject} of questions) reject(error)
      }
    }
    this.#asked--
  }
}
