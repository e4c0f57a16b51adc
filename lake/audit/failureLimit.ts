/** Milliseconds in which failed attempts are counted together. */
const WINDOW = 10 * 60_000

/**
 * Failed attempts of one window with lines of their own, for each account, and for all unknown ones together. Half as many in each
 * window that follows on one with too many, but one.
 */
const MAX_RECORDED = 20

/**
 * Limits how many failed attempts are recorded, so that a flood of them cannot push other events out of the
 * log, nor a service whose token is wrong for days.
 */
export class FailureLimit {
  readonly #report: (omitted: number) => void
  /** By account. Only accounts that exist have an entry of their own. */
  readonly #counts = new Map<string, number>()
  /** Consecutive windows with too many attempts, by account. */
  #floods = new Map<string, number>()
  #omitted = 0
  #timer: NodeJS.Timeout | undefined

  /** @param report receives the number of attempts that were not recorded, at the end of a window */
  constructor(report: (omitted: number) => void) {
    this.#report = report
  }

  /** Counts a failed attempt, and returns whether to record it. */
  admit(account = ''): boolean {
    this.#timer ??= this.#startWindow()
    const count = (this.#counts.get(account) ?? 0) + 1
    this.#counts.set(account, count)
    if (count <= this.#limitOf(account)) return true
    this.#omitted += 1
    return false
  }

  /** Ends the window, and reports what was omitted. */
  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#floods = new Map(
      [...this.#counts]
        .filter(([account, count]) => count > this.#limitOf(account))
        .map(([account]) => [account, (this.#floods.get(account) ?? 0) + 1]),
    )
    this.#counts.clear()
    const omitted = this.#omitted
    this.#omitted = 0
    if (omitted > 0) this.#report(omitted)
  }

  #startWindow(): NodeJS.Timeout {
    return setTimeout(() => {
      this.end()
      if (this.#floods.size > 0) this.#timer = this.#startWindow()
    }, WINDOW).unref()
  }

  #limitOf(account: string): number {
    return Math.max(1, Math.floor(MAX_RECORDED / 2 ** (this.#floods.get(account) ?? 0)))
  }
}
