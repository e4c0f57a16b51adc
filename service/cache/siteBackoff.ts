import {LRUCache} from 'lru-cache'
import {backoffDelay} from '../../common/backoff.ts'
import {SiteError} from '../errors.ts'

/** The back-off of a site that fails while upstream works, in milliseconds. */
const BACKOFF = {first: 1_000, longest: 60_000}

/** The back-off after any other failure, in milliseconds. The circuit breaker has its own. */
const BRIEF = {first: 1_000, longest: 1_000}

/** Maximum number of sites to remember. An evicted one is retried with its next request. */
const MAX_SITES = 10_000

/** How long after its last attempt a failing site is forgotten, in milliseconds. */
const FORGET_AFTER = 600_000

type Pause = {readonly error: unknown; readonly failures: number; until: number}

/** The sites that are not fetched for a while, and why. Each one backs off separately. */
export class SiteBackoff {
  readonly #pauses = new LRUCache<string, Pause>({max: MAX_SITES, ttl: FORGET_AFTER})
  readonly #clock: () => number

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Returns why a site is not fetched now, if it is not. */
  reason(publicId: string): unknown {
    const pause = this.#pauses.get(publicId)
    return pause && this.#clock() < pause.until ? pause.error : undefined
  }

  /** Whether a site fails while upstream works. */
  isFailing(publicId: string): boolean {
    return this.#pauses.peek(publicId)?.error instanceof SiteError
  }

  /** The number of such sites. */
  get failing(): number {
    this.#pauses.purgeStale()
    return [...this.#pauses.keys()].filter((publicId) => this.isFailing(publicId)).length
  }

  /** Sets the back-off after an error. It grows with each failure if upstream works. */
  fail(publicId: string, error: unknown): void {
    const before = this.#pauses.get(publicId)
    if (error instanceof SiteError) {
      const failures = (before?.failures ?? 0) + 1
      this.#pause(publicId, error, backoffDelay(failures, BACKOFF), failures)
      // Another failure does not change what is known of a failing site.
    } else if (before?.error instanceof SiteError) before.until = this.#clock() + backoffDelay(1, BRIEF)
    else this.#pause(publicId, error, backoffDelay(1, BRIEF), 1)
  }

  /** Ends the pause of a site. Its change may have fixed the problem. */
  retryNow(publicId: string): void {
    const pause = this.#pauses.peek(publicId)
    if (pause) pause.until = 0
  }

  /** Ends all pauses except those of failing sites. */
  retryAll(): void {
    for (const publicId of this.#pauses.keys()) if (!this.isFailing(publicId)) this.retryNow(publicId)
  }

  /** @returns whether the site was failing. */
  recover(publicId: string): boolean {
    const wasFailing = this.isFailing(publicId)
    this.#pauses.delete(publicId)
    return wasFailing
  }

  /** Sets a pause in milliseconds. */
  #pause(publicId: string, error: unknown, milliseconds: number, failures: number): void {
    this.#pauses.set(publicId, {error, failures, until: this.#clock() + milliseconds})
  }
}
