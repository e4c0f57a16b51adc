/** A patch operation that would take too long. */
export class TooMuchWorkError extends Error {}

/**
 * The budget of one patch operation, in units of about 50 ns: reading or copying an item costs one. In total
 * this is about 100 ms, enough to change each of 100,000 items, or to patch a text of 5 MB.
 */
const UNITS = 2_000_000

/**
 * Counts the work of one operation, so that none can block other requests. It counts instead of measuring
 * time, so that the result does not depend on the load of the machine.
 */
export class Work {
  #left = UNITS

  /** @throws TooMuchWorkError */
  spend(units: number): void {
    this.#left -= units
    if (this.#left < 0)
      throw new TooMuchWorkError(
        'this operation is too expensive: change fewer values, or set the value that contains them',
      )
  }
}
