import {LRUCache} from 'lru-cache'
import type {SiteError} from '../errors.ts'

/** Initial and maximum back-off of one site, in milliseconds. Doubles after each failed attempt. */
const FIRST_PAUSE = 1_000
const LAST_PAUSE = 60_000

/** Failing sites that are remembered. One that is displaced is tried again at its next request. */
const MAX_SITES = 1_000

/** Milliseconds after its last attempt that a failing site is forgotten: nobody asks for it any more. */
const FORGET_AFTER = 600_000

type Failing = {readonly error: SiteError; readonly attempts: number; until: number}

/** The sites that fail while upstream is well. Each backs off alone; all others are fetched as usual. */
export class SiteBackoff {
  readonly #failing = new LRUCache<string, Failing>({max: MAX_SITES, ttl: FORGET_AFTER})

  /** How many sites fail. */
  get size(): number {
    this.#failing.purgeStale()
    return this.#failing.size
  }

  has(publicId: string): boolean {
    return this.#failing.has(publicId)
  }

  /** What is wrong with a site that is not to be tried again yet. */
  pending(publicId: string, now: number): SiteError | undefined {
    const failing = this.#failing.get(publicId)
    return failing && now < failing.until ? failing.error : undefined
  }

  /** @returns when the site may be tried again, in milliseconds of the clock. */
  fail(publicId: string, error: SiteError, now: number): number {
    const attempts = (this.#failing.get(publicId)?.attempts ?? 0) + 1
    const pause = Math.min(FIRST_PAUSE * 2 ** (attempts - 1), LAST_PAUSE)
    const until = now + pause * (0.5 + Math.random() / 2)
    this.#failing.set(publicId, {error, attempts, until})
    return until
  }

  /** Lets the next request try again: the site was changed, perhaps for the better. */
  retryNow(publicId: string): void {
    const failing = this.#failing.get(publicId)
    if (failing) failing.until = 0
  }

  /** @returns whether the site was failing. */
  recover(publicId: string): boolean {
    return this.#failing.delete(publicId)
  }
}
