import {
  BrokenCircuitError,
  type BulkheadPolicy,
  BulkheadRejectedError,
  bulkhead,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IBackoff,
  type IHalfOpenAfterBackoffContext,
  type RetryPolicy,
  retry,
} from 'cockatiel'
import {type BackoffLimits, backoffDelay} from '../../common/backoff.ts'
import {withDeadline} from '../../common/timeout.ts'
import {BusyError, SiteError, SiteOrUpstreamError, UpstreamError} from '../errors.ts'
import type {QueryName, ServiceEvents, UpstreamState} from '../events.ts'
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
  readonly #now: () => number
  readonly #queryTimeout: number
  /** Known sites have at most one refresh in flight each, so their queue is bounded. */
  readonly #lanes: Readonly<Record<Lane, BulkheadPolicy>> = {
    known: bulkhead(AT_ONCE, 100_000),
    unknown: bulkhead(AT_ONCE, MAX_QUEUED),
    failing: bulkhead(AT_ONCE, MAX_QUEUED),
    probe: bulkhead(AT_ONCE, 0),
  }
  readonly #threshold: Threshold
  readonly #breaker: CircuitBreakerPolicy
  readonly #secondAttempt: RetryPolicy
  readonly #backoff: BreakerBackoff
  /** Start times of the queries in flight, the oldest first. */
  readonly #unanswered = new Set<{readonly since: number}>()

  constructor(
    events: ServiceEvents,
    {
      now = () => performance.now(),
      queryTimeout = QUERY_TIMEOUT,
      backoff = BACKOFF,
    }: CircuitBreakerOptions = {},
  ) {
    this.#events = events
    this.#now = now
    this.#queryTimeout = queryTimeout
    this.#backoff = new BreakerBackoff(now, backoff)
    this.#threshold = new Threshold(this.#backoff)
    const concernsAllSites = handleWhen((error) => this.#concernsAllSites(error))
    this.#breaker = circuitBreaker(concernsAllSites, {
      breaker: this.#threshold,
      halfOpenAfter: this.#backoff,
    })
    this.#breaker.onStateChange(() => events.emit('upstream', this.state))
    // Upstream may close a kept-alive connection just when it is reused (RFC 9112 §9.3.1).
    this.#secondAttempt = retry(handleWhen(isLostConnection), {maxAttempts: 1})
  }

  get state(): UpstreamState {
    switch (this.#breaker.state) {
      case CircuitState.Closed:
        return 'answering'
      case CircuitState.HalfOpen:
        return 'probed'
      default:
        return 'failing'
    }
  }

  /**
   * Reduces a timeout by the time that the oldest query in flight has waited already. Returns 0 while
   * upstream fails. If upstream hangs, concurrent requests thus share one wait.
   */
  maxWait(milliseconds: number): number {
    if (this.state !== 'answering') return 0
    const [oldest] = this.#unanswered
    return oldest ? Math.max(0, milliseconds - (this.#now() - oldest.since)) : milliseconds
  }

  /**
   * Returns the error that `ask` would throw now, at a hundredth of the cost. Rejects floods of made-up
   * public IDs before any work begins.
   */
  refusal(lane: Lane): UpstreamError | undefined {
    const {executionSlots, queueSlots} = this.#lanes[lane]
    if (executionSlots === 0 && queueSlots === 0) return TOO_MANY
    if (this.#breaker.state === CircuitState.HalfOpen) return PROBE_IN_FLIGHT
    const isLeftAlone = this.#breaker.state === CircuitState.Open && this.#backoff.isRunning
    return isLeftAlone ? BREAKER_OPEN : undefined
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
        // cockatiel would make other queries wait for the result of the probe.
        if (this.#breaker.state === CircuitState.HalfOpen) throw PROBE_IN_FLIGHT
        if (name !== 'changes') return this.#breaker.execute(() => this.#timed(name, lane, query))
        // Sites can be fetched even if upstream refuses it or is too slow for it, so it does not count.
        if (this.#breaker.state === CircuitState.Open) throw BREAKER_OPEN
        return this.#timed(name, lane, query)
      })
    } catch (error) {
      throw toUpstreamError(error)
    }
  }

  /**
   * A SiteError concerns one site and shows that upstream works, so it must not open the breaker for other sites. But what
   * may be due to a site is no proof, while upstream is known to have failed, that upstream works again.
   */
  #concernsAllSites(error: unknown): boolean {
    if (error instanceof SiteOrUpstreamError) return this.#breaker.state === CircuitState.HalfOpen
    return !(error instanceof SiteError)
  }

  async #timed<T>(name: QueryName, lane: Lane, query: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const asked = {since: this.#now()}
    // Visitors do not wait for what changed, which takes longer than other queries. A site that fails says nothing of others.
    if (name !== 'changes' && lane !== 'failing') this.#unanswered.add(asked)
    let failure: unknown
    try {
      return await withDeadline(this.#queryTimeout, (signal) =>
        this.#secondAttempt.execute(() => query(signal)),
      )
    } catch (error) {
      const isProbe = name === 'probe'
      failure = toSiteError(error) ?? (isProbe ? undefined : toSiteOrUpstreamError(error)) ?? error
      if (isProbe && !(failure instanceof SiteError)) this.#threshold.probeFailed()
      this.#backoff.heed(retryAfterOf(error))
      throw failure
    } finally {
      this.#unanswered.delete(asked)
      this.#events.emit('asked', name, this.#now() - asked.since, failure === undefined, failure)
    }
  }
}

/** Trips after several consecutive failures, or after a single one of a probe or with a `Retry-After`. */
class Threshold extends ConsecutiveBreaker {
  readonly #backoff: BreakerBackoff

  constructor(backoff: BreakerBackoff) {
    super(FAILURES)
    this.#backoff = backoff
  }

  /** The next failure is that of a probe, which another query has caused by failing before. */
  probeFailed(): void {
    this.state = FAILURES
  }

  override failure(): boolean {
    return super.failure() || this.#backoff.isToldToWait
  }
}

/**
 * The delay before the open breaker sends its next probe. cockatiel compares `duration` with the system
 * clock, which may be set back while the breaker is open. This class therefore uses a monotonic clock, and
 * `duration` only says whether the delay is over.
 */
class BreakerBackoff implements IBackoff<IHalfOpenAfterBackoffContext> {
  readonly #now: () => number
  readonly #limits: BackoffLimits
  #until = 0
  /** The end of the longest delay that upstream requested: concurrent queries may fail with and without one. */
  #toldUntil = 0

  constructor(now: () => number, limits: BackoffLimits) {
    this.#now = now
    this.#limits = limits
  }

  get isRunning(): boolean {
    return this.#now() < this.#until
  }

  get isToldToWait(): boolean {
    return this.#now() < this.#toldUntil
  }

  /** Remembers the delay that upstream requested with a failure, in milliseconds. */
  heed(retryAfter = 0): void {
    this.#toldUntil = Math.max(this.#toldUntil, this.#now() + Math.min(retryAfter, LONGEST_RETRY_AFTER))
  }

  get duration(): number {
    return this.isRunning ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  }

  next({attempt}: IHalfOpenAfterBackoffContext): this {
    this.#until = Math.max(this.#now() + backoffDelay(attempt, this.#limits), this.#toldUntil)
    return this
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
  if (error instanceof BrokenCircuitError) return BREAKER_OPEN
  return new UpstreamError('The content lake returned no usable response.', {cause: error})
}
