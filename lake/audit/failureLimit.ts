/** Milliseconds in which failed attempts are counted together. */
const WINDOW = 10 * 60_000

/** Failed attempts of one window with lines of their own, for each account, and for all unknown ones together. */
const MAX_RECORDED = 20

/**
 * Limits how many failed attempts are recorded, so that a flood of them cannot push other events out of the
 * files: at most some 700 kB a day for unknown accounts.
 */
export class FailureLimit {
  readonly #report: (omitted: number) => void
  /** By account. Only accounts that exist have an entry of their own. */
  readonly #counts = new Map<string, number>()
  #omitted = 0
  #timer: NodeJS.Timeout | undefined

  /** @param report receives the number of attempts that were not recorded, at the end of a window */
  constructor(report: (omitted: number) => void) {
    this.#report = report
  }

  /** Counts a failed attempt, and returns whether to record it. */
  admit(account = ''): boolean {
    this.#timer ??= setTimeout(() => this.end(), WINDOW).unref()
    const count = (this.#counts.get(account) ?? 0) + 1
    this.#counts.set(account, count)
    if (count <= MAX_RECORDED) return true
    this.#omitted += 1
    return false
  }

  /** Ends the window, and reports what was omitted. */
  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#counts.clear()
    const omitted = this.#omitted
    this.#omitted = 0
    if (omitted > 0) this.#report(omitted)
  }
}
