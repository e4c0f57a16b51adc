import {QueryError} from './errors.ts'

/** Cuts between two looks at the clock: well below a millisecond, even where each copies what was parsed before. */
const CUTS_BETWEEN_LOOKS = 64

/** Milliseconds of processor time of this thread: it does not pass while the system gives the time to others. */
export function threadTime(): number {
  const {user, system} = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * The text of a query that may be parsed for a time. groq-js has no hook, but it cuts each token off the text with
 * `slice`: repeatedly while it goes back, and again for each call of a custom function.
 */
export class TimedText extends String {
  readonly #milliseconds: number
  readonly #now: () => number
  #end = 0
  #cuts = 0

  /** @param now milliseconds of processor time; they are counted from the first cut */
  constructor(text: string, milliseconds: number, now: () => number) {
    super(text)
    this.#milliseconds = milliseconds
    this.#now = now
  }

  /** @throws QueryError when the time is up */
  override slice(start?: number, end?: number): string {
    if (this.#cuts === 0) this.#end = this.#now() + this.#milliseconds
    this.#cuts += 1
    if (this.#cuts % CUTS_BETWEEN_LOOKS === 0 && this.#now() > this.#end)
      throw new QueryError('the query takes too long to parse: make it shorter')
    return super.slice(start, end)
  }
}
