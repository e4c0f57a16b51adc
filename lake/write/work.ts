/** A patch operation that would take too long. */
export class TooMuchWorkError extends Error {}

/**
 * Work of one patch operation, in units of about 50 ns: an item that is looked at or copied costs one. The whole budget
 * is about 100 ms, and enough to change every item of the longest list that a document can hold.
 */
const UNITS = 2_000_000

/** Counts the work of one operation, so that none can hold up other requests. Counted, not timed: a loaded machine refuses nothing else. */
export class Work {
  #left = UNITS

  /** @throws TooMuchWorkError */
  spend(units: number): void {
    this.#left -= units
    if (this.#left < 0)
      throw new TooMuchWorkError(
        'this operation is too much work: name fewer values, or set the value that holds them',
      )
  }
}
