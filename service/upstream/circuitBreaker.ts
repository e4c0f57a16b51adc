import {type BulkheadPolicy, BulkheadRejectedError, bulkhead} from 'cockatiel'
import {type BackoffLimits, backoffDelay} from '../../common/backoff.ts'
import {withDeadline} from '../../common/timeout.ts'
import {BusyError, SiteError, SiteOrUpstreamError, UpstreamError} from '../errors.ts'
import type {QueryName, ServiceEvents} from '../events.ts'
import {isLostConnection, retryAfterOf, toSiteError, toSiteOrUpstreamError} from './upstreamFailure.ts'

/**
 * Unknown public IDs use their own bulkhead, so a flood of made-up IDs cannot delay known sites. So do sites whose last
 * query failed, because their next one may take until the timeout. A probe never waits.
 */
export type Lane = 'known' | 'unknown' | 'failing' | 'probe'

/** Maximum concurrent queries in each bulkhead. */
const AT_ONCE = 16

/** Maximum queued queries for unknown public IDs, and for failing sites. */
const MAX_QUEUED = 256

/** Timeout of a query, in milliseconds. The default of `@sanity/client` is five minutes. */
const QUERY_TIMEOUT = 3_000

/** Consecutive failures that open the circuit breaker. */
const FAILURES = 3

/** Back-off between probes, in milliseconds. */
const BACKOFF: BackoffLimits = {first: 500, longest: 5_000}

/** Upper bound for an upstream `Retry-After`, in milliseconds. Guards against a misconfigured upstream. */
const LONGEST_RETRY_AFTER = 300_000

/** Closed: queries are sent; open: they are rejected for now; or half-open: a single probe is in flight. */
export type BreakerState = 'answering' | 'failing' | 'probed'

type CircuitBreakerOptions = {
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number
  /** See `QUERY_TIMEOUT`. */
  readonly queryTimeout?: number | undefined
  /** See `BACKOFF`. */
  readonly backoff?: BackoffLimits | undefined
}

/**
 * Every upstream query passes through this circuit breaker and one of its bulkheads. When upstream fails, the
 * breaker rejects queries for a while and then sends a single probe.
 */
export class UpstreamCircuitBreaker {
  readonly #events: ServiceEvents
  readonly #options: CircuitBreakerOptions
  readonly #now: () => number
  /** Known sites have at most one refresh in flight each, so their queue is bounded. */
  readonly #lanes: Readonly<Record<Lane, BulkheadPolicy>> = {
    known: bulkhead(AT_ONCE, 100_000),
    unknown: bulkhead(AT_ONCE, MAX_QUEUED),
    failing: bulkhead(AT_ONCE, MAX_QUEUED),
    probe: bulkhead(AT_ONCE, 0),
  }
  #state: BreakerState = 'answering'
  /** Consecutive failures while the breaker is closed. */
  #failures = 0
  /** Times in a row that it opened. */
  #openings = 0
  /** When the open breaker lets a probe through. Upstream may have asked for a longer delay. */
  #until = 0

  constructor(events: ServiceEvents, options: CircuitBreakerOptions = {}) {
    this.#events = events
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  get state(): BreakerState {
    return this.#state
  }

  /**
   * Returns the error that `ask` would throw now, at a hundredth of the cost. Rejects floods of made-up
   * public IDs before any work begins.
   */
  refusal(lane: Lane): UpstreamError | undefined {
    const {executionSlots, queueSlots} = this.#lanes[lane]
    if (executionSlots === 0 && queueSlots === 0) return TOO_MANY
    return this.#closedFor(true)
  }

  /** @param isCounted whether the query may be the probe of an open breaker */
  #closedFor(isCounted: boolean): UpstreamError | undefined {
    if (this.#state === 'probed') return PROBE_IN_FLIGHT
    const mayProbe = isCounted && this.#now() >= this.#until
    return this.#state === 'failing' && !mayProbe ? BREAKER_OPEN : undefined
  }

  /**
   * Sends a query upstream.
   * @param query must reject when its signal aborts.
   * @throws SiteError if upstream works but rejects the query for this site, or returns an invalid response.
   * @throws SiteOrUpstreamError if only a probe can tell whether this site or all of upstream fails.
   * @throws UpstreamError if the query is not sent now, or upstream returns no usable response.
   */
  async ask<T>(name: QueryName, lane: Lane, query: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await this.#lanes[lane].execute(() => {
        // Sites can be fetched even if upstream refuses it or is too slow for it, so it neither counts nor probes.
        const isCounted = name !== 'changes'
        const refusal = this.#closedFor(isCounted)
        if (refusal) throw refusal
        return isCounted ? this.#counted(name, query) : this.#timed(name, query)
      })
    } catch (error) {
      throw toUpstreamError(error)
    }
  }

  async #counted<T>(name: QueryName, query: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const isProbe = this.#state === 'failing'
    if (isProbe) this.#become('probed')
    try {
      const result = await this.#timed(name, query)
      this.#failures = 0
      if (isProbe) this.#become('answering')
      return result
    } catch (error) {
      // A SiteError concerns one site and shows that upstream works, so it must not open the breaker for other sites. But
      // what may be due to a site is no proof, while upstream is known to have failed, that upstream works again.
      const concernsAllSites = error instanceof SiteOrUpstreamError ? isProbe : !(error instanceof SiteError)
      if (isProbe) this.#become(concernsAllSites ? 'failing' : 'answering')
      else if (concernsAllSites && this.#state === 'answering') {
        this.#failures += 1
        if (this.#failures >= FAILURES || name === 'probe' || this.#now() < this.#until)
          this.#become('failing')
      }
      throw error
    }
  }

  #become(state: BreakerState): void {
    this.#state = state
    if (state === 'answering') this.#failures = this.#openings = 0
    if (state === 'failing') {
      this.#openings += 1
      this.#until = Math.max(
        this.#until,
        this.#now() + backoffDelay(this.#openings, this.#options.backoff ?? BACKOFF),
      )
    }
  }

  async #timed<T>(name: QueryName, query: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const began = this.#now()
    let failure: unknown
    try {
      return await withDeadline(this.#options.queryTimeout ?? QUERY_TIMEOUT, (signal) =>
        // Upstream may close a kept-alive connection just when it is reused (RFC 9112 §9.3.1).
        query(signal).catch((error: unknown) => {
          if (!isLostConnection(error)) throw error
          return query(signal)
        }),
      )
    } catch (error) {
      // A probe is about no site.
      failure = (name !== 'probe' && (toSiteError(error) ?? toSiteOrUpstreamError(error))) || error
      // Concurrent queries may fail with and without a `Retry-After`: the longest counts.
      const told = Math.min(retryAfterOf(error) ?? 0, LONGEST_RETRY_AFTER)
      if (told > 0) this.#until = Math.max(this.#until, this.#now() + told)
      throw failure
    } finally {
      this.#events.emit('asked', name, this.#now() - began, failure === undefined, failure)
    }
  }
}

// Shared instances: creating an error costs more than the rest of a rejection.
const TOO_MANY = new BusyError(
  'Too many queries for unknown or failing public IDs wait for the content lake.',
)
const BREAKER_OPEN = new UpstreamError('The circuit breaker is open: the content lake failed.')
const PROBE_IN_FLIGHT = new UpstreamError(
  'The circuit breaker is half-open: another query is probing the content lake.',
)

function toUpstreamError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error
  if (error instanceof BulkheadRejectedError) return TOO_MANY
  return new UpstreamError('The content lake returned no usable response.', {cause: error})
}
