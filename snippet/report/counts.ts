import {DURATION_BOUNDS, type Outcome} from '../../schemas/calls/counts.ts'
import {MAX_CALLS, MAX_LENGTH, MAX_ROWS} from './limits.ts'

/** How a call ended, and how many milliseconds it took. `hash` stands for an error. */
export type Ended = {tool: string; outcome: Outcome; duration: number; hash?: string | undefined}

/** The calls of a page that were not sent yet. */
export class Counts {
  readonly #rows = new Map<string, number>()
  #length = 0
  #calls = 0

  get isEmpty(): boolean {
    return !this.#rows.size
  }

  add({tool, outcome, duration, hash}: Ended): void {
    const bucket = DURATION_BOUNDS.filter((bound) => duration > bound).length
    const key = JSON.stringify([tool, outcome, bucket, hash])
    const count = this.#rows.get(key) ?? 0
    if (!count) this.#length += key.length
    if (this.#calls === MAX_CALLS) return
    if (!count && (this.#rows.size === MAX_ROWS || this.#length > MAX_LENGTH)) return
    this.#rows.set(key, count + 1)
    this.#calls += 1
  }

  clear(): void {
    this.#length = this.#calls = 0
    this.#rows.clear()
  }

  /** What leaves the page. */
  toBody(): string {
    const calls = Array.from(this.#rows, ([key, count]) => {
      const [tool, outcome, bucket, hash] = JSON.parse(key)
      return [tool, outcome, bucket, count, ...(hash ? [hash] : [])]
    })
    return JSON.stringify({calls})
  }
}
