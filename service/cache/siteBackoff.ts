import {LRUCache} from 'lru-cache'
import {backoffDelay} from '../../common/backoff.ts'
import type {SiteError} from '../errors.ts'

/** The back-off of one site, in milliseconds. */
const BACKOFF = {first: 1_000, longest: 60_000}

/** Maximum number of failing sites to remember. An evicted one is retried with its next request. */
const MAX_SITES = 1_000

/** How long after its last attempt a failing site is forgotten, in milliseconds. */
const FORGET_AFTER = 600_000

type Failing = {readonly error: SiteError; readonly attempts: number; until: number}

/** Sites that fail while upstream works. Each one backs off separately; all others are fetched as usual. */
export class SiteBackoff {
  readonly #failing = new LRUCache<string, Failing>({max: MAX_SITES, ttl: FORGET_AFTER})

  get size(): number {
    this.#failing.purgeStale()
    return this.#failing.size
  }

  has(publicId: string): boolean {
    return this.#failing.has(publicId)
  }

  /** Returns the last error of a site while it is backing off. */
  pending(publicId: string, now: number): SiteError | undefined {
    const failing = this.#failing.get(publicId)
    return failing && now < failing.until ? failing.error : undefined
  }

  /** @returns when to retry the site, in milliseconds of the clock. */
  fail(publicId: string, error: SiteError, now: number): number {
    const attempts = (this.#failing.get(publicId)?.attempts ?? 0) + 1
    const until = now + backoffDelay(attempts, BACKOFF)
    this.#failing.set(publicId, {error, attempts, until})
    return until
  }

  /** Ends the back-off of a site. Its change may have fixed the problem. */
  retryNow(publicId: string): void {
    const failing = this.#failing.get(publicId)
    if (failing) failing.until = 0
  }

  /** @returns whether the site was failing. */
  recover(publicId: string): boolean {
    return this.#failing.delete(publicId)
  }
}
