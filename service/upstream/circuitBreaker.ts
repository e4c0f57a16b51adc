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
import {BusyError, LakeError, SiteError} from '../errors.ts'
import type {LakeState, ServiceEvents} from '../events.ts'
import {isLostConnection, retryAfterOf, toSiteError} from './upstreamFailure.ts'

/** Queries for identifiers that nobody has asked for before go a way of their own: a flood of them blocks no site. */
export type Way = 'known' | 'unknown'

/** Queries that the lake is asked at once, on each way. */
const AT_ONCE = 16

/** Queries that wait their turn. Sites that are known are refreshed once at a time, so their queue has an end. */
const WAITING: Record<Way, number> = {known: 100_000, unknown: 256}

/** Milliseconds that one query may take. The client's own default is five minutes. */
const QUERY_TIMEOUT = 3_000

/** Failures in a row after which the lake is left alone for a while. */
const FAILURES = 3

/** Milliseconds until it is tried again, doubled up to the limit with each vain attempt. */
const FIRST_PAUSE = 500
const LAST_PAUSE = 5_000

/** Milliseconds of `Retry-After` that are obeyed: a mistake there must not silence the service for a day. */
const LONGEST_RETRY_AFTER = 300_000

/**
 * The one door to the lake: so many queries at once and no more, none for a while when it fails, and then one to see
 * whether it answers again.
 */
export class UpstreamCircuitBreaker {
  readonly #events: ServiceEvents
  readonly #ways: Record<Way, BulkheadPolicy>
  readonly #breaker: CircuitBreakerPolicy
  readonly #threshold = new Threshold()
  readonly #secondAttempt: RetryPolicy
  readonly #backoff = new BreakerBackoff()
  /** When each unanswered query was asked, the oldest first. */
  readonly #unanswered = new Set<{since: number}>()

  constructor(events: ServiceEvents) {
    this.#events = events
    this.#ways = {known: bulkhead(AT_ONCE, WAITING.known), unknown: bulkhead(AT_ONCE, WAITING.unknown)}
    // A SiteError is about one site, and shows that upstream works: it never opens the breaker for other sites.
    const concernsAllSites = handleWhen((error) => !(error instanceof SiteError))
    this.#breaker = circuitBreaker(concernsAllSites, {
      breaker: this.#threshold,
      halfOpenAfter: this.#backoff,
    })
    this.#breaker.onStateChange(() => events.emit('lake', this.state))
    // A kept connection may be closed by the lake in the moment of its use (RFC 9112 §9.3.1).
    this.#secondAttempt = retry(handleWhen(isLostConnection), {maxAttempts: 1})
  }

  get state(): LakeState {
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
   * How many of these milliseconds it is worth to wait for an answer: none while the lake fails, and none once a query
   * has waited for so long. Whoever comes to a lake that hangs waits once, together with all others.
   */
  patience(milliseconds: number): number {
    if (this.state !== 'answering') return 0
    const [oldest] = this.#unanswered
    return oldest ? Math.max(0, milliseconds - (performance.now() - oldest.since)) : milliseconds
  }

  /**
   * What `ask` would be refused with at this moment, at a hundredth of the cost: whoever makes up public identifiers by
   * the thousand is told so before anything is begun.
   */
  refusal(way: Way): LakeError | undefined {
    const {executionSlots, queueSlots} = this.#ways[way]
    if (executionSlots === 0 && queueSlots === 0) return TOO_MANY
    if (this.#breaker.state === CircuitState.HalfOpen) return BEING_TRIED
    const isLeftAlone = this.#breaker.state === CircuitState.Open && this.#backoff.isRunning
    return isLeftAlone ? LEFT_ALONE : undefined
  }

  /**
   * Asks the lake.
   * @param query rejects when its signal says that time is up.
   * @throws SiteError where upstream works, and refuses the query for this site or returns something else.
   * @throws LakeError where it is not asked now, or gives no usable answer.
   */
  async ask<T>(name: 'site' | 'revision', way: Way, query: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await this.#ways[way].execute(() => {
        // The breaker would let the others wait for what becomes of the one that tries.
        if (this.#breaker.state === CircuitState.HalfOpen) throw BEING_TRIED
        return this.#breaker.execute(() => this.#timed(name, query))
      })
    } catch (error) {
      throw toLakeError(error)
    }
  }

  async #timed<T>(name: 'site' | 'revision', query: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const asked = {since: performance.now()}
    this.#unanswered.add(asked)
    let failure: unknown
    try {
      const signal = AbortSignal.timeout(QUERY_TIMEOUT)
      return await this.#secondAttempt.execute(() => query(signal))
    } catch (error) {
      failure = toSiteError(error) ?? error
      this.#threshold.toldToWait = retryAfterOf(error) !== undefined
      throw failure
    } finally {
      this.#unanswered.delete(asked)
      this.#events.emit('asked', name, performance.now() - asked.since, failure === undefined, failure)
    }
  }
}

/** Some failures in a row, or one that says for how long the lake wants to be left alone. */
class Threshold extends ConsecutiveBreaker {
  toldToWait = false

  constructor() {
    super(FAILURES)
  }

  override failure(): boolean {
    return super.failure() || this.toldToWait
  }
}

/**
 * How long the open breaker waits for its next probe. cockatiel would compare `duration` with the system's clock, which
 * may be set back by an hour while the breaker is open: so this counts with a monotonic clock, and `duration` only says
 * whether the wait is over.
 */
class BreakerBackoff implements IBackoff<IHalfOpenAfterBackoffContext> {
  #until = 0

  get isRunning(): boolean {
    return performance.now() < this.#until
  }

  get duration(): number {
    return this.isRunning ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  }

  next({attempt, result}: IHalfOpenAfterBackoffContext): this {
    const pause = Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LAST_PAUSE)
    // Jitter: replicas that lost upstream together do not all probe it at the same moment.
    const jittered = pause * (0.5 + Math.random() / 2)
    const told = 'error' in result ? (retryAfterOf(result.error) ?? 0) : 0
    this.#until = performance.now() + Math.max(jittered, Math.min(told, LONGEST_RETRY_AFTER))
    return this
  }
}

// One of each, whatever the number of requests: to make an error costs more than all else that a refusal takes.
const TOO_MANY = new BusyError('Too many public identifiers are asked for that nobody has asked for before.')
const LEFT_ALONE = new LakeError('The lake fails and is left alone for a while.')
const BEING_TRIED = new LakeError('The lake is being tried again.')

function toLakeError(error: unknown): LakeError {
  if (error instanceof LakeError) return error
  if (error instanceof BulkheadRejectedError) return TOO_MANY
  if (error instanceof BrokenCircuitError) return LEFT_ALONE
  return new LakeError('The lake gave no usable answer.', {cause: error})
}
