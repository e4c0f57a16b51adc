import {Counter, Histogram} from 'prom-client'
import type {LogHealth} from '../../common/log/log.ts'
import {ServerMetrics} from '../../common/metrics/serverMetrics.ts'
import {OUTCOMES} from '../../schemas/calls/counts.ts'
import type {Sites} from '../cache/sites.ts'
import {BusyError, SiteError} from '../errors.ts'
import type {ServiceEvents} from '../events.ts'
import type {OriginTrial} from '../originTrial.ts'
import type {Snapshots} from '../snapshots/snapshots.ts'
import type {Readiness} from './readiness.ts'
import {RequestTally} from './requestTally.ts'

/** Bucket bounds in seconds, up to the timeout of a query. */
const QUERY_DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3]

type MetricsOptions = {
  readonly events: ServiceEvents
  readonly sites: Pick<Sites, 'status' | 'answered'>
  readonly snapshots: Pick<Snapshots, 'counts'>
  readonly originTrial: Pick<OriginTrial, 'endSeconds'>
  readonly readiness: Pick<Readiness, 'state'>
  readonly logHealth: LogHealth
  /** The folder whose disk is measured. */
  readonly stateDir: string
}

/**
 * The service's metrics for Prometheus. Visitors must not control label values, because each new value is
 * kept until the process ends. docs/monitoring.md mirrors the list, and a test compares the two.
 */
export class Metrics {
  readonly requests = new RequestTally()
  readonly #server: ServerMetrics

  constructor(options: MetricsOptions) {
    const {events, logHealth: log, stateDir: folder} = options
    this.#server = new ServerMetrics({prefix: 'handrail', folder, log})
    this.#timeQueries(events)
    this.#countEvents(events)
    this.#readState(options)
  }

  /** Returns all metrics in Prometheus' text format. */
  async exposition(): Promise<string> {
    return this.requests.exposition() + (await this.#server.exposition())
  }

  #timeQueries(events: ServiceEvents): void {
    const durations = new Histogram({
      name: 'handrail_upstream_query_duration_seconds',
      help: 'Duration of upstream queries, by query and by whether a usable response came.',
      labelNames: ['query', 'outcome'],
      buckets: QUERY_DURATIONS,
      registers: [this.#server.registry],
    })
    events.on('asked', (query, milliseconds, answered) =>
      durations.observe({query, outcome: answered ? 'answered' : 'failed'}, milliseconds / 1_000),
    )
  }

  #countEvents(events: ServiceEvents): void {
    const failures = this.#counter(
      'handrail_refresh_failures_total',
      'Failed refreshes of sites, by cause: upstream failed, too many unknown sites were requested, or the site itself is the problem.',
      ['reason'],
      ['upstream', 'busy', 'site'],
    )
    events.on('failed', (_publicId, error) => {
      const ofSite = error instanceof SiteError ? 'site' : 'upstream'
      failures.inc({reason: error instanceof BusyError ? 'busy' : ofSite})
    })

    const calls = this.#counter(
      'handrail_calls_total',
      'Calls of tools that pages reported, by outcome. Strangers can report calls, too.',
      ['outcome'],
      OUTCOMES,
    )
    events.on('calls', (outcome, count) => calls.inc({outcome}, count))

    const operations = this.#counter(
      'handrail_snapshot_operations_total',
      'Operations on snapshots of sites, by operation and result.',
      ['operation', 'outcome'],
    )
    for (const operation of ['used', 'written', 'removed']) operations.inc({operation, outcome: 'done'}, 0)
    for (const operation of ['read', 'write']) operations.inc({operation, outcome: 'failed'}, 0)
    events.on('snapshot', (operation) => operations.inc({operation, outcome: 'done'}))
    events.on('snapshotFailed', (operation) => operations.inc({operation, outcome: 'failed'}))
  }

  /** Memory and disk state is only read when metrics are requested. */
  #readState({sites, snapshots, originTrial, readiness}: MetricsOptions): void {
    this.#server.read(() => ({...sites.status(), ...snapshots.counts, ...readiness.state}), {
      handrail_upstream_answering: [
        '1 while the circuit breaker is closed, 0 while it is open because upstream fails.',
        ({isClosed}) => Number(isClosed),
      ],
      handrail_live_connected: ['1 while live events arrive from upstream.', ({isLive}) => Number(isLive)],
      handrail_limits_shared: [
        '1 while Redis counts requests for all replicas, 0 while Redis is unreachable.',
        ({isShared}) => (isShared === undefined ? undefined : Number(isShared)),
      ],
      handrail_origin_trial_end_timestamp_seconds: [
        'When the origin trial token ends, in seconds since 1970. 0: browsers do not accept it.',
        () => originTrial.endSeconds(),
      ],
      handrail_sites: ['Sites in memory.', ({sites}) => sites],
      handrail_absent_sites: ['Public IDs in memory that belong to no site.', ({absent}) => absent],
      handrail_oldest_site_age_seconds: [
        'Time since upstream last confirmed a site, for the site in use where it is longest.',
        ({oldestInUse = 0}) => oldestInUse / 1_000,
      ],
      handrail_invalid_documents: [
        'Documents of the sites in memory that are skipped because they break a rule.',
        ({invalidDocuments}) => invalidDocuments,
      ],
      handrail_failing_sites: [
        'Sites that cannot be refreshed although upstream works: too large, or refused. The log names each.',
        ({failing}) => failing,
      ],
      handrail_snapshot_sites: [
        'Sites in memory that come from a snapshot and have not been confirmed by upstream since.',
        ({fromSnapshot}) => fromSnapshot,
      ],
      handrail_snapshots: ['Snapshots of sites on disk.', ({files}) => files],
      handrail_snapshot_bytes: ['Bytes of snapshots on disk.', ({bytes}) => bytes],
    })
    new Counter({
      name: 'handrail_site_requests_total',
      help: 'Requests for a site, by where the response came from.',
      labelNames: ['answer'],
      registers: [this.#server.registry],
      collect() {
        this.reset()
        for (const [answer, count] of Object.entries(sites.answered)) this.inc({answer}, count)
      },
    })
  }

  /**
   * @param values of the single label, initialized to 0: a counter that first appears with 1 shows no
   * increase.
   */
  #counter<L extends string>(
    name: string,
    help: string,
    labelNames: L[] = [],
    values: readonly string[] = [],
  ): Counter<L> {
    const counter = new Counter({name, help, labelNames, registers: [this.#server.registry]})
    for (const value of values) counter.labels(value).inc(0)
    return counter
  }
}
