import {platform} from 'node:os'
import {eventually} from '../test/support/eventually.ts'
import {metricsOf} from '../test/support/metrics.ts'
import {hasRedis, startRedis} from '../test/support/network/redis.ts'
import {type Counts, countsOf, countsSince} from './http/cdn/counts.ts'
import {coresOfThisMachine, pin} from './http/cores.ts'
import {startLoad} from './http/load.ts'
import {startBenchedService, startUpstream} from './http/servers.ts'
import {fetchSites} from './http/sites.ts'
import {configPath} from './http/stage.ts'
import {median} from './median.ts'
import type {Summary} from './report.ts'
import type {Run} from './run.ts'

const TITLE = 'Processes of the service, 200 at 10 KB'

/** So many that the client stays within the default limit of each, which the processes share through Redis. */
const SITES = 5_000
const PATH = configPath({tools: 10, bytes: 10_240}, '/', '{n}')

/** Requests to each process before measuring, so that the engine has compiled what they run. */
const WARM_UP = 50_000
const WARM_UP_FOR = 60_000

/** Timeout for the connection to Redis, in seconds. */
const PATIENCE = 10

/** Many short turns, because a machine that others use too is slower or faster for about a second at a time. */
const MILLISECONDS = 500
const ROUNDS = 21
const ROUNDS_IN_A_HURRY = 5

/** Connections of each client. */
const CONNECTIONS = 32

/** The target for what two processes serve, compared with one. */
const TARGET = 1.8

/** What each of the two processes did in a round. */
type Round = readonly Counts[]

/** Measures whether a process costs the same next to another one: then n cores serve n times as much. */
export async function benchProcesses(run: Run): Promise<Summary> {
  if (platform() !== 'linux' || !hasRedis())
    throw new Error('This benchmark needs Linux and Redis: leave out "processes".')
  if (run.wants(TITLE)) await measure(run)
  return {
    title: 'Several processes',
    method: [
      'Two processes of the service, in turns one, the other, and both, each with a client of its own; “one” is the mean of the two alone, because identical processes differ by an eighth. They share their limits through Redis. The processes of the service are pinned to one core, everything else to another.',
      'On a machine with two cores, the clients need one of them, so two processes cannot have a core each. What is measured is the CPU time of each while both work. What they serve with a core for each is computed: requests per second of CPU time, added up. Without nginx, which on one core with the client is slower than the service: a service that waits handles fewer requests at a time, which costs more for each.',
      `Medians of ${ROUNDS} rounds of ${MILLISECONDS} ms, after ${WARM_UP} requests to warm up. Each client keeps ${CONNECTIONS} connections busy.`,
    ],
  }
}

async function measure(run: Run): Promise<void> {
  const redis = await startRedis()
  run.cleanup.defer(() => redis.dispose())
  const cores = coresOfThisMachine()
  await pin(redis.pid, 'others', cores)
  const upstream = await startUpstream(cores, run)
  const start = async () => {
    const load = await startLoad(cores, run)
    const settings = {REDIS_URL: redis.url, RATE_LIMIT_MAX: '600'}
    const service = await startBenchedService(cores, run, settings, upstream)
    await eventually(
      () => metricsOf(service.address),
      ({samples}) => samples.get('handrail_limits_shared') === 1,
      PATIENCE,
    )
    await fetchSites(service, load, PATH, SITES)
    const target = {
      address: service.address,
      path: PATH,
      numbers: SITES,
      status: 200,
      connections: CONNECTIONS,
    }
    await load.send({...target, sent: 0, milliseconds: WARM_UP_FOR, requests: WARM_UP})
    return {service, send: (sent: number) => load.send({...target, sent, milliseconds: MILLISECONDS})}
  }
  const both = [await start(), await start()]
  const turn = async (processes: typeof both, round: number): Promise<Round> => {
    const before = await Promise.all(processes.map(({service}) => countsOf(service)))
    await Promise.all(processes.map(({send}) => send(round * SITES)))
    return Promise.all(processes.map(({service}, at) => countsSince(before[at] ?? NOTHING, service)))
  }
  const alone: Round[] = []
  const together: Round[] = []
  for (let round = 1; round <= (run.quick ? ROUNDS_IN_A_HURRY : ROUNDS); round++) {
    const each: Counts[] = []
    for (const one of both) each.push(...(await turn([one], round)))
    alone.push(each)
    together.push(await turn(both, round))
  }
  const capacities = alone.map((round) => capacityOf(round) / both.length)
  const ratio = median(together.map((round, at) => capacityOf(round) / (capacities[at] ?? Number.NaN)))
  run.show({
    title: TITLE,
    rows: [
      {processes: 'one', 'CPU µs': costOf(alone), 'requests/s with a core for each': median(capacities)},
      {
        processes: 'two',
        'CPU µs': costOf(together),
        'requests/s with a core for each': median(together.map(capacityOf)),
        ratio,
        target: `≥ ${TARGET}: ${ratio >= TARGET ? 'met' : 'not met'}`,
      },
    ],
  })
}

const NOTHING: Counts = {requests: 0, notModified: 0, queries: 0, cpu: 0}

/** CPU time of a request in microseconds. */
function costOf(rounds: readonly Round[]): number {
  return median(rounds.map((round) => (sum(round, 'cpu') * 1_000) / sum(round, 'requests')))
}

/** Requests per second if each process has a core. */
function capacityOf(round: Round): number {
  return round.reduce((total, {requests, cpu}) => total + (requests * 1_000) / cpu, 0)
}

function sum(round: Round, count: keyof Counts): number {
  return round.reduce((total, counts) => total + counts[count], 0)
}
