import {QueryError} from './errors.ts'

/** Maximum length of a single string that a query builds. A document has at most 5 MB. */
const MAX_TEXT_LENGTH = 5 * 2 ** 20

/** Units of work (see {@link Budget.step}) between two checks of the clock: well below a millisecond. */
const STEPS_BETWEEN_LOOKS = 2_000

/** What one query may use. */
export type BudgetBounds = {
  /** Milliseconds of `now`. Other requests wait as long. */
  readonly milliseconds: number
  /** Estimated upper bound of the bytes of the values that it builds. */
  readonly bytes: number
  /** Processor time by default: on a busy machine, time passes while the process does not run. */
  readonly now?: () => number
}

/**
 * Bounds the time and memory of one query. The evaluator calls {@link step} before it does work and {@link
 * take} before it allocates, so that both end before the limit is exceeded.
 *
 * Neither `node:vm` nor `resourceLimits` of a worker can bound memory: V8 ends the whole process where a
 * single allocation, such as a concatenation of two arrays, does not fit.
 */
export class Budget {
  readonly #maxBytes: number
  readonly #now: () => number
  readonly #end: number
  /** Estimated upper bound of the bytes of the values that the query holds. */
  #bytes = 0
  /** Bytes that are held until the query ends, regardless of {@link settle}. */
  #keptBytes = 0
  #stepsLeft = STEPS_BETWEEN_LOOKS

  constructor({bytes, milliseconds, now = threadTime}: BudgetBounds) {
    this.#maxBytes = bytes
    this.#now = now
    this.#end = now() + milliseconds
  }

  /**
   * Reports work about to be done. One unit is about what it takes to evaluate one node of a syntax tree, 10
   * to 50 ns.
   * @throws QueryError
   */
  step(units: number): void {
    this.#stepsLeft -= units
    if (this.#stepsLeft < 0) this.#look()
  }

  /**
   * Reports bytes about to be allocated.
   * @throws QueryError
   */
  take(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes + this.#keptBytes > this.#maxBytes)
      throw new QueryError(
        `the query builds values larger than ${this.#maxBytes / 2 ** 20} MB: narrow its filters, or select fewer attributes`,
      )
  }

  /**
   * Reports a string about to be built. Concatenation copies nothing at first, but reading the result does.
   * @throws QueryError
   */
  takeText(length: number): void {
    if (length > MAX_TEXT_LENGTH)
      throw new QueryError(`the query builds a string longer than ${MAX_TEXT_LENGTH} characters`)
    this.take(32 + 2 * length)
    this.step(length >> 6)
  }

  /** Reports a list about to be built or to grow. A growing list is copied now and then. */
  takeList(length: number): void {
    this.take(16 * length)
    this.step(length >> 3)
  }

  /** A point in time to which {@link settle} returns. */
  get mark(): number {
    return this.#bytes
  }

  /** Releases the bytes taken since a mark, if the result is a scalar. */
  settle<T>(mark: number, result: T): T {
    if (result === null || (typeof result !== 'object' && typeof result !== 'string')) this.#bytes = mark
    return result
  }

  /** Releases the bytes taken since a mark, except for some. */
  release(mark: number, except = 0): void {
    this.#bytes = mark + except
  }

  /** Keeps the bytes taken since a mark until the query ends, because the value is cached. */
  keep(mark: number): void {
    this.#keptBytes += this.#bytes - mark
    this.#bytes = mark
  }

  #look(): void {
    this.#stepsLeft = STEPS_BETWEEN_LOOKS
    if (this.#now() > this.#end) throw tooSlow()
  }
}

/** The error for a query that exceeds its time limit. */
export function tooSlow(): QueryError {
  return new QueryError('the query takes too long: narrow its filters')
}

/** Milliseconds of processor time of this thread: it does not pass while the system gives the time to others. */
export function threadTime(): number {
  const {user, system} = process.threadCpuUsage()
  return (user + system) / 1_000
}
