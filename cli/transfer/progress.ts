import type {Console} from '../command.ts'

/** Milliseconds between two lines. */
const EVERY = 2_000

/** Tells about every two seconds how many documents a step has done, so that short transfers are quiet. */
export class Progress {
  readonly #console: Console
  readonly #step: string
  readonly #total: number | undefined
  #done = 0
  #told = performance.now()

  /** @param step such as `read` */
  constructor(console: Console, step: string, total?: number) {
    this.#console = console
    this.#step = step
    this.#total = total
  }

  add(count = 1): void {
    this.#done += count
    if (performance.now() - this.#told < EVERY) return
    this.#told = performance.now()
    const of = this.#total === undefined ? '' : ` of ${this.#total}`
    this.#console.error(`${this.#done}${of} documents ${this.#step}\n`)
  }
}
