import type {Labels, Series} from './promtool.ts'

/** Runs of values: each with the number of minutes for which it was scraped. */
type Runs = readonly (readonly [value: number | undefined, minutes: number])[]

export type Case = {
  readonly series: readonly Series[]
  /** The first and the last minute in which the alert fires. */
  readonly fires: readonly [first: number, last: number]
}

/** A series whose values are these. */
export function gauge(name: string, labels: Labels, ...runs: Runs): Series {
  return {
    labels: {__name__: name, ...labels},
    values: runs.flatMap(([value, minutes]) => new Array<number | undefined>(minutes).fill(value)),
  }
}

/** A series that increases by these values each minute. */
function counter(name: string, labels: Labels, ...runs: Runs): Series {
  let total = 0
  const values = gauge(name, labels, ...runs).values.map((step = 0) => {
    total += step
    return total
  })
  return {labels: {__name__: name, ...labels}, values}
}

const A = {job: 'handrail', instance: 'a:3000', namespace: 'shop'}
const B = {...A, instance: 'b:3000'}
const LAKE = {job: 'handrail-lake', instance: 'lake:3333', namespace: 'shop'}
const DAY = 86_400
const GB = 1e9

/** Something that is 0, then 1 for some minutes, and 0 again. */
const onceTrue = (name: string, labels: Labels, minutes: number): Series =>
  gauge(name, labels, [0, 5], [1, minutes], [0, 10])

/** Something that is 1, then 0 for some minutes, and 1 again. */
const onceFalse = (name: string, labels: Labels, minutes: number): Series =>
  gauge(name, labels, [1, 5], [0, minutes], [1, 10])

const requestsOf = (replica: Labels, status: string, ...runs: Runs) =>
  counter('handrail_http_requests_total', {...replica, route: '/api/sites/:publicId/config', status}, ...runs)

const requests = (status: string, ...runs: Runs) => requestsOf(A, status, ...runs)

const failed: Runs = [
  [0, 5],
  [1, 10],
  [0, 15],
]

/** Durations of 60 requests a minute, so many of which are below each bound. */
function histogram(name: string, labels: Labels, below: Readonly<Record<string, Runs>>): Series[] {
  return Object.entries(below).map(([le, runs]) => counter(`${name}_bucket`, {...labels, le}, ...runs))
}

const quiet: Runs = [[60, 60]]

/** Nothing is scraped while a process restarts. Rules with an hour's `for` hold over it. */
const restart: Runs = [[undefined, 5]]

/** How long the token is still valid: time passes while its end does not move, until another one is set. */
const trialEnds = (seconds: number) =>
  gauge('handrail_origin_trial_end_timestamp_seconds', A, [seconds, 20], [365 * DAY, 10])

/** For each rule, by its name and perhaps another word, series that make it fire once, and stop. The fault begins in minute 5. */
export const CASES: Readonly<Record<string, Case>> = {
  HandrailDown: {series: [onceFalse('up', A, 10), gauge('up', B, [1, 25])], fires: [7, 14]},
  'HandrailDown absent': {series: [gauge('up', A, [1, 5], [undefined, 10], [1, 10])], fires: [7, 14]},
  HandrailErrors: {
    series: [A, B].flatMap((one) => [requestsOf(one, '200', [60, 30]), requestsOf(one, '500', ...failed)]),
    fires: [10, 18],
  },
  HandrailReplicaErrors: {
    series: [requests('200', [60, 30]), requests('500', ...failed), requestsOf(B, '200', [60, 30])],
    fires: [10, 18],
  },
  HandrailSlow: {
    series: histogram(
      'handrail_http_request_duration_seconds',
      {...A, route: '/api/sites/:publicId/config'},
      {
        '0.05': [
          [60, 5],
          [50, 20],
          [60, 15],
        ],
        '0.1': [[60, 40]],
        '+Inf': [[60, 40]],
      },
    ),
    fires: [15, 28],
  },
  // One of two replicas: over both, a tenth of the queries is slow.
  HandrailLakeSlow: {
    series: [
      ...histogram(
        'handrail_upstream_query_duration_seconds',
        {...A, query: 'site', outcome: 'answered'},
        {
          '1': [
            [60, 5],
            [0, 20],
            [60, 25],
          ],
          '3': [[61, 50]],
          '+Inf': [[61, 50]],
        },
      ),
      ...histogram(
        'handrail_upstream_query_duration_seconds',
        {...B, query: 'site', outcome: 'answered'},
        {'1': quiet, '3': quiet, '+Inf': quiet},
      ),
    ],
    fires: [15, 33],
  },
  HandrailLakeFailing: {series: [onceFalse('handrail_upstream_answering', A, 10)], fires: [10, 14]},
  HandrailStale: {
    series: [gauge('handrail_oldest_site_age_seconds', A, [5, 5], [601, 10], [5, 10])],
    fires: [10, 14],
  },
  HandrailStaleForHalfADay: {
    series: [gauge('handrail_oldest_site_age_seconds', A, [43_100, 5], [43_201, 10], [5, 10])],
    fires: [5, 14],
  },
  HandrailLiveEventsCut: {series: [onceFalse('handrail_live_connected', A, 10)], fires: [10, 14]},
  HandrailInvalidDocuments: {series: [onceTrue('handrail_invalid_documents', A, 20)], fires: [20, 24]},
  HandrailSiteFailing: {series: [onceTrue('handrail_failing_sites', A, 20)], fires: [20, 24]},
  // A single snapshot.
  HandrailSnapshotsNotWritten: {
    series: [
      counter(
        'handrail_snapshot_operations_total',
        {...A, operation: 'write', outcome: 'failed'},
        [0, 5],
        [1, 1],
        [0, 30],
      ),
    ],
    fires: [10, 19],
  },
  HandrailLimitsApart: {series: [onceFalse('handrail_limits_shared', A, 20)], fires: [15, 24]},
  HandrailManyRefused: {
    series: [requests('200', [60, 40]), requests('429', [0, 5], [10, 15], [0, 20])],
    fires: [16, 22],
  },
  HandrailEventLoopLags: {
    series: [
      gauge('nodejs_eventloop_lag_p99_seconds', LAKE, [0.01, 5], [0.2, 20], [0.01, 5]),
      gauge('lake_info', {...LAKE, version: '0.2.0'}, [1, 30]),
      // Of another program.
      gauge('nodejs_eventloop_lag_p99_seconds', {job: 'shop', instance: 'a:80'}, [0.2, 30]),
    ],
    fires: [15, 24],
  },
  HandrailRestarts: {
    series: [
      gauge('process_start_time_seconds', A, [1, 5], [301, 2], [421, 2], [541, 2], [661, 2], [781, 40]),
      gauge('handrail_info', {...A, version: '0.2.0'}, [1, 53]),
    ],
    fires: [13, 19],
  },
  HandrailVersionsDiffer: {
    series: [
      gauge('handrail_info', {...A, version: '0.1.0'}, [1, 95]),
      gauge('handrail_info', {...B, version: '0.1.0'}, [1, 5], [undefined, 70], [1, 20]),
      gauge(
        'handrail_info',
        {...B, version: '0.2.0'},
        [undefined, 5],
        [1, 30],
        ...restart,
        [1, 35],
        [undefined, 20],
      ),
    ],
    fires: [65, 84],
  },
  HandrailDiskFilling: {
    series: [
      gauge('lake_disk_free_bytes', LAKE, [2 * GB, 5], [0.3 * GB, 20], [2 * GB, 5]),
      gauge('lake_disk_size_bytes', LAKE, [5 * GB, 30]),
      // A tenth of a large disk is enough.
      gauge('handrail_disk_free_bytes', A, [20 * GB, 30]),
      gauge('handrail_disk_size_bytes', A, [500 * GB, 30]),
    ],
    fires: [15, 24],
  },
  HandrailOriginTrialEndsInAMonth: {series: [trialEnds(30 * DAY + 5 * 60)], fires: [6, 19]},
  HandrailOriginTrialEndsInAWeek: {series: [trialEnds(7 * DAY + 5 * 60)], fires: [6, 19]},
  HandrailOriginTrialEnded: {series: [trialEnds(5 * 60)], fires: [5, 19]},
  // The metric of a token that browsers never accept is 0.
  'HandrailOriginTrialEnded unusable': {
    series: [
      gauge('handrail_origin_trial_end_timestamp_seconds', A, [undefined, 5], [0, 15], [365 * DAY, 10]),
    ],
    fires: [5, 19],
  },
  LakeDown: {
    series: [onceFalse('up', LAKE, 10), gauge('lake_info', LAKE, [1, 5], [undefined, 10], [1, 10])],
    fires: [10, 14],
  },
  'LakeDown absent': {
    series: [
      gauge('up', LAKE, [1, 5], [undefined, 10], [1, 10]),
      gauge('lake_info', LAKE, [1, 5], [undefined, 10], [1, 10]),
    ],
    fires: [10, 14],
  },
  LakePushConflict: {
    series: [onceTrue('lake_push_state', {...LAKE, state: 'conflict'}, 10)],
    fires: [10, 14],
  },
  LakePushFailing: {series: [onceTrue('lake_push_state', {...LAKE, state: 'failing'}, 40)], fires: [35, 44]},
  LakePublishingPaused: {
    series: [onceTrue('lake_problem', {...LAKE, code: 'GIT_LOCK_LEFT'}, 10)],
    fires: [10, 14],
  },
  LakeProblem: {series: [onceTrue('lake_problem', {...LAKE, code: 'DISK_FULL'}, 20)], fires: [15, 24]},
  LakeBackupOld: {
    series: [
      gauge(
        'lake_last_backup_timestamp_seconds',
        LAKE,
        [-2 * DAY + 5 * 60, 30],
        ...restart,
        [-2 * DAY + 5 * 60, 45],
        [10 * DAY, 10],
      ),
    ],
    fires: [66, 79],
  },
  LakeInvalidFiles: {series: [onceTrue('lake_invalid_files', LAKE, 20)], fires: [20, 24]},
}

/** Two secrets are rotated: both values, then only the new one. */
export const PLANNED_RESTARTS: readonly Series[] = [
  gauge('process_start_time_seconds', LAKE, [1, 5], [301, 2], [421, 2], [541, 2], [661, 30]),
  gauge('lake_info', {...LAKE, version: '0.2.0'}, [1, 41]),
]

/** What two replicas report while their lake is down. */
export const LAKE_IS_DOWN: readonly Series[] = [
  gauge('up', LAKE, [1, 5], [0, 30]),
  gauge('lake_info', LAKE, [1, 5], [undefined, 30]),
  ...[A, B].flatMap((replica) => [
    gauge('up', replica, [1, 35]),
    gauge('handrail_upstream_answering', replica, [1, 5], [0, 30]),
    gauge('handrail_live_connected', replica, [1, 5], [0, 30]),
    gauge('handrail_oldest_site_age_seconds', replica, [5, 5], [700, 30]),
  ]),
]
