import {DURATION_BOUNDS, type Outcome} from '../../schemas/calls/counts.ts'
import {MAX_CALLS, MAX_LENGTH, MAX_ROWS} from './limits.ts'

/** How a call ended, and how many milliseconds it took. `hash` stands for an error. */
export type Ended = {tool: string; outcome: Outcome; duration: number; hash?: string | undefined}

/** What the service reads: a tool, how its calls ended, the bucket of their duration, their count, and the hash of an error. */
type Row = [tool: string, outcome: Outcome, bucket: number, count: number, hash?: string]

/** The calls of a page that were not sent yet. */
export class Counts {
  readonly #rows = new Map<string, Row>()
  #length = 0
  #calls = 0

  get isEmpty(): boolean {
    return !this.#rows.size
  }

  /** @returns false if the service would not take one more. */
  add({tool, outcome, duration, hash}: Ended): boolean {
    const bucket = DURATION_BOUNDS.filter((bound) => duration > bound).length
    const key = JSON.stringify([tool, outcome, bucket, hash])
    const row = this.#rows.get(key)
    if (this.#calls === MAX_CALLS) return false
    if (!row && (this.#rows.size === MAX_ROWS || this.#length + key.length > MAX_LENGTH)) return false
    if (!row) this.#length += key.length
    if (row) row[3] += 1
    else this.#rows.set(key, hash ? [tool, outcome, bucket, 1, hash] : [tool, outcome, bucket, 1])
    this.#calls += 1
    return true
  }

  clear(): void {
    this.#length = this.#calls = 0
    this.#rows.clear()
  }

  /** What leaves the page. */
  toBody(): string {
    return JSON.stringify({calls: [...this.#rows.values()]})
  }
}
