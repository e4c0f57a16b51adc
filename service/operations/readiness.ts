import type {LogHealth} from '../../common/log/log.ts'
import {withTimeout} from '../../common/timeout.ts'
import type {Sites} from '../cache/sites.ts'
import {SiteError} from '../errors.ts'
import type {ServiceEvents} from '../events.ts'
import type {OriginTrial} from '../originTrial.ts'
import type {Snapshots} from '../snapshots/snapshots.ts'
import type {UpstreamCircuitBreaker} from '../upstream/circuitBreaker.ts'
import {isRefusedToken, messagesIn} from '../upstream/upstreamFailure.ts'

export type ReadinessOptions = {
  readonly events: ServiceEvents
  readonly breaker: Pick<UpstreamCircuitBreaker, 'state'>
  readonly sites: Pick<Sites, 'status'>
  readonly snapshots: Pick<Snapshots, 'counts'>
  readonly originTrial: Pick<OriginTrial, 'warning'>
  readonly logHealth: LogHealth
  /** Sends a cheap upstream query. */
  readonly probe: () => Promise<unknown>
  /** See `PROBE_TIMEOUT`. */
  readonly probeTimeout?: number
}

/** How long a report waits for upstream, in milliseconds. Kubernetes allows a probe one second. */
const PROBE_TIMEOUT = 700

/** Age from which a response is stale, in seconds. */
const FRESH = 60

/**
 * Reports whether this process can serve requests. Without upstream, it can if it has last known good sites.
 */
export class Readiness {
  readonly #options: ReadinessOptions
  #isDraining = false
  #hasReached = false
  /** Why the last query that upstream did not serve failed. */
  #upstreamError: unknown
  #isLive = false
  /** Why the last snapshot could not be written. */
  #snapshotError: unknown
  /** Whether Redis counts for all replicas, and why not. Undefined: there is none, or it is not known yet. */
  #redis: {readonly isShared: boolean; readonly reason: string | undefined} | undefined

  constructor(options: ReadinessOptions) {
    this.#options = options
    const {events} = options
    events.on('asked', (_query, _milliseconds, isAnswered, error) => {
      if (isAnswered) this.#hasReached = true
      // An error for one site does not count as the first successful response: if the dataset does not exist, upstream rejects
      // every site.
      else if (!(error instanceof SiteError && this.#hasReached)) this.#upstreamError = error
    })
    events.on('live', (isConnected) => {
      this.#isLive = isConnected
    })
    events.on('limits', (isShared, reason) => {
      this.#redis = {isShared, reason}
    })
    events.on('snapshot', (action) => {
      if (action === 'written') this.#snapshotError = undefined
    })
    events.on('snapshotFailed', (action, _path, error) => {
      if (action === 'write') this.#snapshotError = error
    })
  }

  /** What metrics say of it. */
  get state() {
    const isClosed = this.#options.breaker.state === 'answering'
    return {isClosed, isLive: this.#isLive, isShared: this.#redis?.isShared}
  }

  /** Whether the service is shutting down. */
  get isDraining(): boolean {
    return this.#isDraining
  }

  /** Starts draining: load balancers must send no more requests. */
  drain(): void {
    this.#isDraining = true
  }

  /**
   * Probes upstream unless it is known to work, because there may be no visitors who cause a query.
   * @returns the response of `/readyz`. The lake's has the same structure: `status` first, then its components.
   */
  async report() {
    const {originTrial, probe, probeTimeout = PROBE_TIMEOUT, sites: known, snapshots} = this.#options
    if (!this.#isDraining && !this.#isAnswering) {
      // The result arrives as an event.
      const asked = withTimeout(probeTimeout, probe())
      if (!this.#canServe()) await asked
    }
    const {sites, oldestInUse, fromSnapshot, invalidDocuments, failing} = known.status()
    const oldestAgeSeconds = oldestInUse === undefined ? null : Math.floor(oldestInUse / 1_000)
    const isEachFailing = failing > 0 && oldestInUse === undefined
    const reasons = this.#reasons(oldestAgeSeconds ?? 0, isEachFailing)
    const warning = originTrial.warning()
    return {
      status: this.#statusFor(reasons),
      /** Why the status is not `ready`, in words. */
      reasons,
      /** What needs attention although every request is served. It leaves the status as it is. */
      warnings: warning === undefined ? [] : [warning],
      sites: {cached: sites, oldestAgeSeconds, fromSnapshot, invalidDocuments, failing},
      snapshots: snapshots.counts.files,
    }
  }

  get #isAnswering(): boolean {
    return this.#hasReached && this.#options.breaker.state === 'answering'
  }

  #canServe(): boolean {
    const {sites, snapshots} = this.#options
    return this.#isAnswering || sites.status().sites > 0 || snapshots.counts.files > 0
  }

  /** `degraded`: requests are served, but something is wrong. Only `unready` and `draining` return 503. */
  #statusFor(reasons: readonly string[]): 'ready' | 'degraded' | 'unready' | 'draining' {
    if (this.#isDraining) return 'draining'
    if (!this.#canServe()) return 'unready'
    return reasons.length === 0 ? 'ready' : 'degraded'
  }

  /** @param isEachFailing whether upstream returns no site that is in use, although it responds */
  #reasons(oldestAge: number, isEachFailing: boolean): string[] {
    const {logHealth, snapshots} = this.#options
    const {foreign} = snapshots.counts
    const isSilent = !this.#isAnswering
    const isRefused = isRefusedToken(this.#upstreamError)
    const error = inOneLine(this.#upstreamError)
    const rows: [isSo: boolean, reason: string][] = [
      [this.#isDraining, 'The service is shutting down.'],
      [
        isSilent && isRefused,
        'The content lake refuses the token of the service: correct SANITY_API_TOKEN, or the file handrail/service-token in CONTENT_DIR.',
      ],
      [
        isSilent && !isRefused && !this.#hasReached,
        `The content lake has not responded since the service started${error}.`,
      ],
      [
        isSilent && !isRefused && this.#hasReached,
        `Content lake unreachable; serving last known good configs${error}.`,
      ],
      [
        !isSilent && isEachFailing,
        'No site that was requested can be refreshed although the content lake responds: the log names each.',
      ],
      [!this.#canServe(), 'There is no last known good config to serve.'],
      [
        !this.#hasReached && foreign > 0,
        `${foreign} snapshots are of another SANITY_API_HOST, project or dataset: with the earlier one, they are used.`,
      ],
      [!this.#isLive, 'Live events do not arrive: changes take up to ten seconds instead of one.'],
      [
        oldestAge > FRESH,
        `A site in use was last confirmed ${oldestAge} seconds ago; more than ${FRESH} is stale.`,
      ],
      [
        this.#snapshotError !== undefined,
        `Snapshots cannot be written: a restart while the content lake is unreachable would lack the latest sites${inOneLine(this.#snapshotError)}.`,
      ],
      [
        this.#redis?.isShared === false,
        `Redis is unreachable: each replica counts requests on its own (${this.#redis?.reason}).`,
      ],
      [logHealth.isLosingLines, `The log cannot be written: ${logHealth.lostLines} lines were lost.`],
    ]
    return rows.flatMap(([isSo, reason]) => (isSo ? [reason] : []))
  }
}

/** Describes an error with its causes, in parentheses: "fetch failed" alone does not help. */
function inOneLine(error: unknown): string {
  return error === undefined ? '' : ` (${messagesIn(error).replaceAll(/\s+/g, ' ').slice(0, 200)})`
}
