import type {Count, Window} from './localCounter.ts'

/** Requests to add to the count of a key. */
export type Addition = {
  readonly key: string
  readonly requests: number
  /** Length of the window in milliseconds, if this begins one. */
  readonly milliseconds: number
}

/** The counts of all replicas. */
export type FleetCounts = {
  /** Whether `add` would be tried now. */
  readonly isAvailable: boolean
  /** Waits before a report, so that windows which become due meanwhile share its cost. */
  pause(): Promise<void>
  /** Adds requests. @returns the new counts, in the same order; `undefined` if it failed. Never throws. */
  add(additions: readonly Addition[]): Promise<readonly Count[] | undefined>
}

/** Maximum windows in one report, so that it does not delay those of other replicas. */
const MAX_WINDOWS = 500

/**
 * Reconciles windows of this process with the counts of all replicas, in the background. There is one report in
 * flight; windows that become due meanwhile are in the next one.
 */
export class Reports {
  readonly #fleet: FleetCounts
  readonly #longest: number
  readonly #due = new Map<string, Window>()
  #isReporting = false

  /** @param longest length of a window in milliseconds */
  constructor(fleet: FleetCounts, longest: number) {
    this.#fleet = fleet
    this.#longest = longest
  }

  /** Reports a window soon. Without the counts of all replicas, its requests are part of a later report. */
  add(key: string, window: Window): void {
    if (!this.#fleet.isAvailable) return
    this.#due.set(key, window)
    if (!this.#isReporting) void this.#reportAll()
  }

  async #reportAll(): Promise<void> {
    this.#isReporting = true
    while (this.#due.size > 0) {
      await this.#fleet.pause()
      if (!this.#fleet.isAvailable) break
      await this.#report([...this.#due].slice(0, MAX_WINDOWS))
    }
    this.#due.clear()
    this.#isReporting = false
  }

  async #report(due: readonly [key: string, window: Window][]): Promise<void> {
    const now = performance.now()
    const sent = due.map(([key, window]) => {
      const {current, reconciled, endsAt} = window
      const milliseconds = Math.max(1, Math.ceil(endsAt - now))
      this.#due.delete(key)
      // Not sent again if there is no reply: it may have been counted, and a client could be refused wrongly.
      window.reconciled = current
      return {window, current, key, requests: current - reconciled, milliseconds}
    })
    const counts = await this.#fleet.add(sent)
    for (const [position, {window, current}] of sent.entries()) {
      const count = counts?.[position]
      if (!count) continue
      const ofOthers = Math.max(0, count.current - current)
      window.current += ofOthers
      window.reconciled += ofOthers
      // A wrong answer must not count for longer than a window lasts.
      window.endsAt = performance.now() + Math.min(count.ttl, this.#longest)
    }
  }
}
