import type {LogHealth} from '../../common/log/log.ts'
import {withTimeout} from '../../common/timeout.ts'
import type {Sites} from '../cache/sites.ts'
import {SiteError} from '../errors.ts'
import type {ServiceEvents, UpstreamState} from '../events.ts'
import type {OriginTrial} from '../originTrial.ts'
import type {Snapshots} from '../snapshots/snapshots.ts'
import type {UpstreamCircuitBreaker} from '../upstream/circuitBreaker.ts'
import {isRefusedToken} from '../upstream/upstreamFailure.ts'

/** A component of the service: its state, since when, and its last error. */
type Part<State> = {readonly state: State; readonly since: string; lastError?: string}

export type ReadinessOptions = {
  readonly events: ServiceEvents
  readonly breaker: Pick<UpstreamCircuitBreaker, 'state'>
  readonly sites: Pick<Sites, 'status'>
  readonly snapshots: Pick<Snapshots, 'counts'>
  readonly originTrial: Pick<OriginTrial, 'report' | 'warning'>
  readonly logHealth: LogHealth
  /** Sends a cheap upstream query. */
  readonly probe: () => Promise<unknown>
  /** See `PROBE_TIMEOUT`. */
  readonly probeTimeout?: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
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
  /** Whether the last query that upstream did not serve was refused for its token. */
  #refusesToken = false
  #upstream: Part<UpstreamState | 'unknown'>
  #liveEvents: Part<'connected' | 'disconnected'>
  #snapshots: Part<'ok' | 'failing'>
  /**
   * Requests are counted in this process only (`local`), together with other replicas in Redis (`shared`), or
   * in this process since Redis became unavailable (`lost`).
   */
  #limits: Part<'local' | 'shared' | 'lost'>

  constructor(options: ReadinessOptions) {
    this.#options = options
    this.#upstream = this.#part('unknown')
    this.#liveEvents = this.#part('disconnected')
    this.#snapshots = this.#part('ok')
    this.#limits = this.#part('local')
    this.#follow(options.events)
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
   * Checks every component. Probes upstream unless it is known to work, because there may be no visitors who
   * cause a query.
   * @returns the response of `/readyz`. The lake's has the same structure: `status` first, then its components.
   */
  async report() {
    const {breaker} = this.#options
    if (!this.#isDraining && !(this.#hasReached && breaker.state === 'answering')) {
      const answer = this.#askUpstream()
      if (!this.#canServe()) await answer
    }
    const {sites, oldestInUse, fromSnapshot, invalidDocuments, failing} = this.#options.sites.status()
    const oldestAgeSeconds = oldestInUse === undefined ? null : Math.floor(oldestInUse / 1_000)
    const reasons = this.#reasons(oldestAgeSeconds ?? 0)
    const {originTrial} = this.#options
    const warning = originTrial.warning()
    return {
      status: this.#statusFor(reasons),
      /** Why the status is not `ready`, in words. */
      reasons,
      /** What needs attention although every request is served. It leaves the status as it is. */
      warnings: warning === undefined ? [] : [warning],
      upstream: this.#upstream,
      liveEvents: this.#liveEvents,
      sites: {cached: sites, oldestAgeSeconds, fromSnapshot, invalidDocuments, failing},
      snapshots: {...this.#snapshots, files: this.#options.snapshots.counts.files},
      limits: this.#limits,
      originTrial: originTrial.report(),
    }
  }

  #canServe(): boolean {
    const {breaker, sites, snapshots} = this.#options
    const isAnswering = this.#hasReached && breaker.state === 'answering'
    return isAnswering || sites.status().sites > 0 || snapshots.counts.files > 0
  }

  /** `degraded`: requests are served, but something is wrong. Only `unready` and `draining` return 503. */
  #statusFor(reasons: readonly string[]): 'ready' | 'degraded' | 'unready' | 'draining' {
    if (this.#isDraining) return 'draining'
    if (!this.#canServe()) return 'unready'
    return reasons.length === 0 ? 'ready' : 'degraded'
  }

  #reasons(oldestAge: number): string[] {
    const {breaker, logHealth} = this.#options
    const reasons: string[] = []
    if (this.#isDraining) reasons.push('The service is shutting down.')
    if (this.#refusesToken && !(this.#hasReached && breaker.state === 'answering'))
      reasons.push(
        'The content lake refuses the token of the service: correct SANITY_API_TOKEN, or the file handrail/service-token in CONTENT_DIR.',
      )
    else if (!this.#hasReached) reasons.push('The content lake has not responded since the service started.')
    else if (breaker.state !== 'answering')
      reasons.push('Content lake unreachable; serving last known good configs.')
    if (!this.#canServe()) reasons.push('There is no last known good config to serve.')
    const {foreign} = this.#options.snapshots.counts
    if (!this.#hasReached && foreign > 0)
      reasons.push(
        `${foreign} snapshots are of another SANITY_API_HOST, project or dataset: with the earlier one, they are used.`,
      )
    if (this.#liveEvents.state === 'disconnected')
      reasons.push('Live events do not arrive: changes take up to ten seconds instead of one.')
    if (oldestAge > FRESH)
      reasons.push(`A site in use was last confirmed ${oldestAge} seconds ago; more than ${FRESH} is stale.`)
    if (this.#snapshots.state === 'failing')
      reasons.push(
        'Snapshots cannot be written: a restart while the content lake is unreachable would lack the latest sites.',
      )
    if (this.#limits.state === 'lost')
      reasons.push('Redis is unreachable: each replica counts requests on its own.')
    if (logHealth.isLosingLines)
      reasons.push(`The log cannot be written: ${logHealth.lostLines} lines were lost.`)
    return reasons
  }

  async #askUpstream(): Promise<void> {
    // The result arrives as an event.
    const {probe, probeTimeout = PROBE_TIMEOUT} = this.#options
    await withTimeout(probeTimeout, probe())
  }

  #follow(events: ServiceEvents): void {
    events.on('asked', (_query, _milliseconds, isAnswered, error) => {
      if (!isAnswered) {
        this.#refusesToken = isRefusedToken(error)
        // A SiteError concerns one site, but does not count as the first successful response: if the dataset
        // does not exist, upstream rejects every site.
        if (!(error instanceof SiteError && this.#hasReached)) this.#upstream.lastError = inOneLine(error)
        return
      }
      if (!this.#hasReached) this.#upstream = this.#part('answering')
      this.#hasReached = true
      if (this.#options.breaker.state === 'answering') delete this.#upstream.lastError
    })
    events.on('upstream', (state) => {
      if (state === 'answering') this.#upstream = this.#part(state)
      // Probes do not end an outage that began with the first failure.
      else if (this.#upstream.state === 'answering')
        this.#upstream = this.#part(state, this.#upstream.lastError)
      else this.#upstream = {...this.#upstream, state}
    })
    events.on('live', (isConnected) => {
      this.#liveEvents = this.#part(isConnected ? 'connected' : 'disconnected')
    })
    events.on('limits', (isShared, reason) => {
      this.#limits = isShared ? this.#part('shared') : this.#part('lost', reason)
    })
    events.on('snapshot', (action) => {
      if (action === 'written' && this.#snapshots.state === 'failing') this.#snapshots = this.#part('ok')
    })
    events.on('snapshotFailed', (action, _path, error) => {
      if (action === 'write') this.#snapshots = this.#part('failing', inOneLine(error))
    })
  }

  #part<State>(state: State, lastError?: string): Part<State> {
    const {now = Date.now} = this.#options
    return {state, since: new Date(now()).toISOString(), ...(lastError === undefined ? {} : {lastError})}
  }
}

/** Describes an error with its causes: "fetch failed" alone does not help. */
function inOneLine(error: unknown): string {
  const texts: string[] = []
  for (let cause = error; cause instanceof Error && texts.length < 3; cause = cause.cause)
    texts.push(cause.message)
  const text = texts.length > 0 ? texts.join(': ') : String(error)
  return text.replaceAll(/\s+/g, ' ').slice(0, 200)
}
