import type {Sites} from '../cache/sites.ts'
import {SiteError} from '../errors.ts'
import type {LakeState, ServiceEvents} from '../events.ts'
import type {Snapshots} from '../snapshots/snapshots.ts'
import type {UpstreamCircuitBreaker} from '../upstream/circuitBreaker.ts'

/** A part of the service: how it is, since when, and what went wrong last. */
type Part<State> = {state: State; since: string; lastError?: string}

/** What `/readyz` says. The lake's own has the same shape: `status` first, then its parts. */
export type ReadinessReport = {
  /** `degraded`: requests are answered, but not all is as it should be. Only `unready` and `draining` are 503. */
  status: 'ready' | 'degraded' | 'unready' | 'draining'
  /** In words, why the status is not `ready`. */
  reasons: string[]
  lake: Part<LakeState | 'unknown'>
  liveEvents: Part<'connected' | 'disconnected'>
  sites: {
    cached: number
    /** Of the site in use whose confirmation by the lake is the oldest; `null` where none is in use. */
    oldestAgeSeconds: number | null
    fromSnapshot: number
    invalidDocuments: number
    /** Sites that cannot be refreshed while the lake is well: each is named in the log, and no reason to be degraded. */
    failing: number
  }
  snapshots: Part<'ok' | 'failing'> & {files: number}
  /** Requests are counted in this process alone, with other replicas in Redis, or alone since Redis was lost. */
  limits: Part<'local' | 'shared' | 'lost'>
}

export type ReadinessOptions = {
  events: ServiceEvents
  gate: Pick<UpstreamCircuitBreaker, 'state'>
  sites: Pick<Sites, 'status'>
  snapshots: Pick<Snapshots, 'counts'>
  /** Asks the lake for something cheap. */
  probe: () => Promise<unknown>
}

/** Milliseconds that a report waits for the lake. Kubernetes gives a probe one second. */
const PROBE_PATIENCE = 700

/** Seconds: the age at which an answer no longer passes for fresh. */
const FRESH = 60

/**
 * Whether this process can serve: it can where the lake answers, and where it does not, with the last good sites.
 */
export class Readiness {
  readonly #options: ReadinessOptions
  #isDraining = false
  #hasReached = false
  #lake: Part<LakeState | 'unknown'> = part('unknown')
  #liveEvents: ReadinessReport['liveEvents'] = part('disconnected')
  #snapshots: Part<'ok' | 'failing'> = part('ok')
  #limits: ReadinessReport['limits'] = part('local')

  constructor(options: ReadinessOptions) {
    this.#options = options
    this.#follow(options.events)
  }

  /** Whether the service was told to end. */
  get isDraining(): boolean {
    return this.#isDraining
  }

  /** From now on no request should be sent here. */
  drain(): void {
    this.#isDraining = true
  }

  /** Looks at every part, and asks the lake where it is not known to answer: it may be that no visitor does. */
  async report(): Promise<ReadinessReport> {
    const {gate} = this.#options
    if (!this.#isDraining && !(this.#hasReached && gate.state === 'answering')) {
      const answer = this.#askLake()
      if (!this.#canServe()) await answer
    }
    const {sites, oldestInUse, fromSnapshot, invalidDocuments, failing} = this.#options.sites.status()
    const oldestAgeSeconds = oldestInUse === undefined ? null : Math.floor(oldestInUse / 1_000)
    const reasons = this.#reasons(oldestAgeSeconds ?? 0)
    return {
      status: this.#statusFor(reasons),
      reasons,
      lake: this.#lake,
      liveEvents: this.#liveEvents,
      sites: {cached: sites, oldestAgeSeconds, fromSnapshot, invalidDocuments, failing},
      snapshots: {...this.#snapshots, files: this.#options.snapshots.counts.files},
      limits: this.#limits,
    }
  }

  #canServe(): boolean {
    const {gate, sites, snapshots} = this.#options
    const isAnswering = this.#hasReached && gate.state === 'answering'
    return isAnswering || sites.status().sites > 0 || snapshots.counts.files > 0
  }

  #statusFor(reasons: readonly string[]): ReadinessReport['status'] {
    if (this.#isDraining) return 'draining'
    if (!this.#canServe()) return 'unready'
    return reasons.length === 0 ? 'ready' : 'degraded'
  }

  #reasons(oldestAge: number): string[] {
    const {gate} = this.#options
    const reasons: string[] = []
    if (this.#isDraining) reasons.push('The service is closing.')
    if (!this.#hasReached) reasons.push('The lake has not answered since the start.')
    else if (gate.state !== 'answering')
      reasons.push('The lake does not answer: the last good answers stand in.')
    if (!this.#canServe()) reasons.push('There is no last good answer to give.')
    if (this.#liveEvents.state === 'disconnected')
      reasons.push('Live events do not arrive: a change shows within ten seconds instead of one.')
    if (oldestAge > FRESH)
      reasons.push(`A site in use was confirmed ${oldestAge} seconds ago: more than ${FRESH} is stale.`)
    if (this.#snapshots.state === 'failing')
      reasons.push('Snapshots cannot be written: a start without the lake would lack the latest sites.')
    if (this.#limits.state === 'lost')
      reasons.push('Redis cannot be asked: each replica counts requests by itself.')
    return reasons
  }

  async #askLake(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise((resolve) => {
      timer = setTimeout(resolve, PROBE_PATIENCE)
    })
    // What comes of it arrives as an event.
    await Promise.race([this.#options.probe().catch(() => {}), timeout])
    clearTimeout(timer)
  }

  #follow(events: ServiceEvents): void {
    events.on('asked', (_query, _milliseconds, isAnswered, error) => {
      if (!isAnswered) {
        // Of one site. But a first answer it is not: where the dataset does not exist, every site is refused.
        if (!(error instanceof SiteError && this.#hasReached)) this.#lake.lastError = inOneLine(error)
        return
      }
      if (!this.#hasReached) this.#lake = part('answering')
      this.#hasReached = true
      if (this.#options.gate.state === 'answering') delete this.#lake.lastError
    })
    events.on('lake', (state) => {
      if (state === 'answering') this.#lake = part(state)
      // Attempts in between do not end what began with the first failure.
      else if (this.#lake.state === 'answering') this.#lake = part(state, this.#lake.lastError)
      else this.#lake = {...this.#lake, state}
    })
    events.on('live', (isConnected) => {
      this.#liveEvents = part(isConnected ? 'connected' : 'disconnected')
    })
    events.on('limits', (isShared, reason) => {
      this.#limits = isShared ? part('shared') : part('lost', reason)
    })
    events.on('snapshot', (action) => {
      if (action === 'written' && this.#snapshots.state === 'failing') this.#snapshots = part('ok')
    })
    events.on('snapshotFailed', (action, _path, error) => {
      if (action === 'write') this.#snapshots = part('failing', inOneLine(error))
    })
  }
}

function part<State>(state: State, lastError?: string): Part<State> {
  return {state, since: new Date().toISOString(), ...(lastError === undefined ? {} : {lastError})}
}

/** An error with its causes: "fetch failed" alone says nothing. */
function inOneLine(error: unknown): string {
  const texts: string[] = []
  for (let cause = error; cause instanceof Error && texts.length < 3; cause = cause.cause)
    texts.push(cause.message)
  const text = texts.length > 0 ? texts.join(': ') : String(error)
  return text.replaceAll(/\s+/g, ' ').slice(0, 200)
}
