import autocannon from 'autocannon'
import {metricsOf} from '../test/support/metrics.ts'
import {hasRedis, startRedis} from '../test/support/network/redis.ts'
import {processorTime, residentBytes} from '../test/support/processes.ts'
import {configPath} from './documents.ts'
import {median, type Run, within} from './report.ts'
import {type Server, startBaseline, startService} from './servers.ts'

const CONNECTIONS = 32

/** The service would reject more concurrent queries for sites that are not cached. */
const COLD_CONNECTIONS = 8

/** A turn has enough requests for the steps of ten milliseconds in which Linux counts. The engine compiles while servers warm up. */
const FULL = {warmUps: 4, rounds: 9, requests: 30_000, sites: 100_000}
const QUICK = {warmUps: 3, rounds: 7, requests: 20_000, sites: 2_000}

/** Of many sites, most are cold. */
const VISITED = 100

/** The settings that docs/operations.md recommends for 100,000 sites. */
const ROOM_FOR_MANY = {
  SITE_MEMORY_MB: '700',
  NODE_OPTIONS: '--max-old-space-size=900 --max-semi-space-size=16',
  MALLOC_ARENA_MAX: '1',
}

/** Limits for the CPU time of the service, compared with a bare Fastify. */
const LIMITS = {200: 1.1, 304: 1.15, many: 1.3}

/** Limits for the CPU time of the first request for a site of 100 tools, in requests to a bare Fastify, and for the memory of all sites, in MiB. */
const COLD_LIMIT = 300
const MEMORY_LIMIT = 1_024

/** A server to measure, and the requests to send. */
type Contestant = {
  readonly name?: string
  readonly server: Server
  /** The path of a request by its number. */
  readonly path: (request: number) => string
  readonly tag?: string | null
  readonly limit?: number
}

/** Sends requests, and measures the CPU time of the server's process for each, in microseconds. */
async function turn({server, path, tag}: Contestant, amount: number, first = 0, connections = CONNECTIONS) {
  const before = await processorTime(server.pid)
  let sent = first
  const setupRequest = (request: autocannon.Request) => {
    sent += 1
    return {...request, path: path(sent - 1)}
  }
  const headers = tag ? {'if-none-match': tag} : {}
  const requests = [{setupRequest}]
  const result = await autocannon({url: server.address, connections, amount, headers, requests})
  const expected = result[tag ? '3xx' : '2xx']
  if (expected < amount)
    throw new Error(`${server.name}: ${amount - expected} of ${amount} responses were others`)
  return (((await processorTime(server.pid)) - before) * 1_000) / amount
}

/** Measures contestants in turn, so that a disturbance affects all; the first is the baseline. Every other round has the reverse order. */
async function compete(title: string, contestants: readonly Contestant[], pace: typeof FULL, run: Run) {
  const cpu = new Map<Contestant, number[]>(contestants.map((one) => [one, []]))
  for (const one of contestants)
    for (let warmUp = 0; warmUp < pace.warmUps; warmUp += 1) await turn(one, pace.requests)
  for (let round = 0; round < pace.rounds; round += 1)
    for (const one of round % 2 === 0 ? contestants : contestants.toReversed())
      cpu.get(one)?.push(await turn(one, pace.requests, round * pace.requests))
  const [baseline = []] = cpu.values()
  const rows = Array.from(cpu, async ([{server, name = server.name, limit}, own]) => {
    const ratio = median(own.map((value, round) => value / (baseline[round] ?? Number.NaN)))
    const memory = (await residentBytes(server.pid)) / 2 ** 20
    return {server: name, 'CPU µs': median(own), ratio, 'RSS MiB': memory, ...(limit && within(ratio, limit))}
  })
  run.show({title, rows: await Promise.all(rows)})
}

/** Measures the cost of requests to the service, compared with a server that only sends the same bytes. */
export async function benchService(run: Run): Promise<readonly string[]> {
  const pace = run.quick ? QUICK : FULL
  const hot = configPath(10, 10_240)
  const siteOf = (serial: number) => configPath(10, 5_120, serial)
  const service = await startService(run)
  const headersOf = async (path: string) =>
    (await fetch(service.address + path, {headers: {'accept-encoding': 'identity'}})).headers
  const whole = await headersOf(hot)
  const [large, little] = [whole, await headersOf(siteOf(0))].map((one) => `${one.get('content-length')}`)
  const bare = await startBaseline([`${large}`, `${little}`], run)
  const services = [service]
  if (hasRedis()) {
    const redis = await startRedis()
    run.cleanup.defer(() => redis.dispose())
    services.push(await startService(run, 'service with Redis', {REDIS_URL: redis.url}))
  }
  for (const [status, ofBare, tag] of [
    [200, null, null],
    [304, '"bench"', whole.get('etag')],
  ] as const) {
    const own = services.map((server) => ({server, path: () => hot, tag, limit: LIMITS[status]}))
    const contestants = [{server: bare, path: () => `/${large}`, tag: ofBare}, ...own]
    await compete(`A hot site, ${status} at 10 KB`, contestants, pace, run)
  }
  await measureColdSite(service, {server: bare, path: () => `/${large}`}, run)

  const many = await startService(run, 'service', ROOM_FOR_MANY)
  await measureMemory(many, siteOf, pace.sites, run)
  const path = (request: number) => siteOf((request % VISITED) * (pace.sites / VISITED))
  const visited = {name: `service, ${VISITED} visited`, server: many, path, limit: LIMITS.many}
  const title = `${pace.sites.toLocaleString('en-US')} sites of 10 tools, 200 at 5 KB`
  await compete(title, [{server: bare, path: () => `/${little}`}, visited], pace, run)
  return [
    `CPU µs: user and system time of the server’s process, divided by the requests that it served. Medians of ${pace.rounds} rounds of ${pace.requests} requests; ratios compare with the first row of the same round.`,
    'The service runs with its defaults, in front of a Content Lake that generates sites. The baseline sends as many bytes.',
  ]
}

/** Measures the cost of a site that was never requested: fetch, compile and respond. */
async function measureColdSite(server: Server, baseline: Contestant, run: Run) {
  const [amount, rounds] = [50, 8]
  const cold = {server, path: (serial: number) => configPath(100, 10_240, serial)}
  const rows: {cpu: number; ratio: number}[] = []
  for (let round = 0; round < rounds; round += 1) {
    const cpu = await turn(cold, amount, round * amount, COLD_CONNECTIONS)
    rows.push({cpu, ratio: cpu / (await turn(baseline, 100 * amount))})
  }
  const middle = (one: 'cpu' | 'ratio') => median(rows.slice(rounds / 2).map((row) => row[one]))
  const limit = within(middle('ratio'), COLD_LIMIT)
  const row = {what: 'a site of 100 tools', 'CPU ms': middle('cpu') / 1_000, ratio: middle('ratio'), ...limit}
  run.show({title: 'The first request for a site', rows: [row]})
}

/** Makes a service fetch this many sites, and measures the memory they use. */
async function measureMemory(server: Server, path: (serial: number) => string, requested: number, run: Run) {
  const cpu = await turn({server, path}, requested, 0, COLD_CONNECTIONS)
  const held = (await metricsOf(server.address)).samples.get('handrail_sites') ?? 0
  const memory = (await residentBytes(server.pid)) / 2 ** 20
  const limit = within(held === requested ? memory : Number.POSITIVE_INFINITY, MEMORY_LIMIT, ' MiB with all')
  const row = {requested, 'in memory': held, 'RSS MiB': memory, 'CPU ms per site': cpu / 1_000, ...limit}
  run.show({title: 'Memory of sites of 10 tools of 1 KB, each requested once', rows: [row]})
}
