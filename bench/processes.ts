import {platform} from 'node:os'
import {eventually} from '../test/support/house.ts'
import {metricsOf} from '../test/support/metrics.ts'
import {freePort} from '../test/support/network/ports.ts'
import {hasRedis, startRedis} from '../test/support/network/redis.ts'
import {processorTime} from '../test/support/processes.ts'
import {type Counts, countsOf, countsSince} from './http/cdn/counts.ts'
import {coresOfThisMachine, pin} from './http/cores.ts'
import {startLoad} from './http/load.ts'
import {hasNginx, runNginx} from './http/nginx.ts'
import {type Server, startBenchedService, startUpstream, temporaryFolder} from './http/servers.ts'
import {fetchSites} from './http/sites.ts'
import {configPath} from './http/stage.ts'
import {median} from './median.ts'
import type {Summary} from './report.ts'
import type {Run} from './run.ts'

const TITLE = 'Processes of the service behind nginx, 200 at 10 KB'

/** So many that the client stays within the default limit of each, which the processes share through Redis. */
const SITES = 1_000
const PATH = configPath({tools: 10, bytes: 10_240}, '/', '{n}')

/** Requests to each process before measuring, so that the engine has compiled what they run. */
const WARM_UP = 50_000
const WARM_UP_FOR = 60_000

/** Timeout for the connection to Redis, in seconds. */
const PATIENCE = 10

const MILLISECONDS = 1_000
const ROUNDS = 9

/** Connections of the client for each process: as many requests wait for each, so that it handles as many at a time. */
const CONNECTIONS = 32

/** The target for what two processes serve, compared with one. */
const TARGET = 1.8

/** What a round took: the service's part by process, and CPU milliseconds of nginx. */
type Round = {services: readonly Counts[]; nginx: number}

/** Measures whether a process costs the same next to another one: then n cores serve n times as much. */
export async function benchProcesses(run: Run): Promise<Summary> {
  if (platform() !== 'linux' || !hasNginx() || !hasRedis())
    throw new Error('This benchmark needs Linux, nginx and Redis: leave out "processes".')
  if (run.wants(TITLE)) await measure(run)
  return {
    title: 'Several processes',
    method: [
      'nginx passes requests on to one process of the service or to two, in turns; the processes share their limits through Redis. All processes of the service are pinned to the same core, everything else to another.',
      'On a machine with two cores, nginx and the client need one of them, so two processes cannot have a core each. What is measured is the CPU time of each while both work. What they serve with a core for each is computed: requests per second of CPU time, added up.',
      `Medians of ${ROUNDS} rounds of ${MILLISECONDS} ms, after one to warm up. The client keeps ${CONNECTIONS} connections busy for each process.`,
    ],
  }
}

async function measure(run: Run): Promise<void> {
  const redis = await startRedis()
  run.cleanup.defer(() => redis.dispose())
  const cores = coresOfThisMachine()
  const upstream = await startUpstream(cores, run)
  const load = await startLoad(cores, run)
  const start = async () => {
    const service = await startBenchedService(
      cores,
      run,
      {REDIS_URL: redis.url, RATE_LIMIT_MAX: '600'},
      upstream,
    )
    const shared = ({samples}: Awaited<ReturnType<typeof metricsOf>>) =>
      samples.get('handrail_limits_shared') === 1
    await eventually(() => metricsOf(service.address), shared, PATIENCE)
    await fetchSites(service, load, PATH, SITES)
    const target = {address: service.address, path: PATH, numbers: SITES, status: 200, sent: 0}
    await load.send({...target, connections: CONNECTIONS, milliseconds: WARM_UP_FOR, requests: WARM_UP})
    return service
  }
  const both = [await start(), await start()]
  const alone = both.slice(0, 1)
  const dir = await temporaryFolder(run)
  const [port, secondPort] = [await freePort(), await freePort()]
  const block = serverBlock('alone', alone, port) + serverBlock('both', both, secondPort)
  const nginx = await runNginx(dir, block, port, run)
  await pin(nginx.pid, 'others', cores)

  const turn = async (services: readonly Server[], atPort: number, sent: number): Promise<Round> => {
    const before = await Promise.all(services.map(countsOf))
    const nginxBefore = await processorTime(nginx.pid)
    const target = {address: `http://127.0.0.1:${atPort}`, path: PATH, numbers: SITES, status: 200, sent}
    await load.send({...target, connections: CONNECTIONS * services.length, milliseconds: MILLISECONDS})
    const counts = services.map((service, index) => countsSince(before[index] ?? NOTHING, service))
    return {services: await Promise.all(counts), nginx: (await processorTime(nginx.pid)) - nginxBefore}
  }
  const [ofOne, ofTwo]: Round[][] = [[], []]
  for (let round = 0; round <= (run.quick ? 5 : ROUNDS); round++) {
    const one = await turn(alone, port, round * SITES)
    const two = await turn(both, secondPort, round * SITES)
    if (round === 0) continue
    ofOne?.push(one)
    ofTwo?.push(two)
  }
  run.show({title: TITLE, rows: [rowOf('one', ofOne), rowOf('two', ofTwo, ofOne)]})
}

const NOTHING: Counts = {requests: 0, notModified: 0, queries: 0, cpu: 0}

function serverBlock(name: string, services: readonly Server[], port: number): string {
  return `
  upstream ${name} {
    ${services.map(({address}) => `server ${new URL(address).host};`).join(' ')}
    keepalive 64;
  }
  server {
    listen 127.0.0.1:${port};
    location = /ready { return 204; }
    location / {
      proxy_pass http://${name};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }`
}

function rowOf(processes: string, rounds: readonly Round[] = [], baseline?: readonly Round[]) {
  const share = median(
    rounds.map(({services}) => Math.min(...services.map(requestsOf)) / sum(services.map(requestsOf))),
  )
  const ratio =
    baseline && median(rounds.map((round, at) => capacityOf(round) / capacityOf(baseline[at] ?? round)))
  return {
    processes,
    'CPU µs of the service': median(
      rounds.map(({services}) => cost(sum(services.map(({cpu}) => cpu)), services)),
    ),
    'CPU µs of nginx': median(rounds.map(({nginx, services}) => cost(nginx, services))),
    'smallest share of a process': `${Math.round(share * 100)} %`,
    'requests/s with a core for each': median(rounds.map(capacityOf)),
    ...(ratio === undefined ? {} : {ratio, target: `≥ ${TARGET}: ${ratio >= TARGET ? 'met' : 'not met'}`}),
  }
}

/** Requests per second if each process has a core. */
function capacityOf({services}: Round): number {
  return sum(services.map(({requests, cpu}) => (requests * 1_000) / cpu))
}

/** @returns microseconds per request. */
function cost(milliseconds: number, services: readonly Counts[]): number {
  return (milliseconds * 1_000) / sum(services.map(requestsOf))
}

function requestsOf({requests}: Counts): number {
  return requests
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
