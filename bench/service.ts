import {setTimeout} from 'node:timers/promises'
import {brotliCompressSync} from 'node:zlib'
import autocannon from 'autocannon'
import {hasAction, servedScript} from '../actions/compile.ts'
import {TOOL_RECIPES} from '../schemas/recipes/recipes.ts'
import type {Fields} from '../schemas/record.ts'
import {actionLibrary} from '../service/site/actionLibrary.ts'
import {metricsOf} from '../test/support/metrics.ts'
import {processorTime, residentBytes} from '../test/support/processes.ts'
import {configPath} from './documents.ts'
import {median, medianRatio, type Run, within} from './report.ts'
import {isPinned, type Server, startBaseline, startService} from './servers.ts'

const CONNECTIONS = 32

/** The service would reject more concurrent queries for sites that are not cached. */
const COLD_CONNECTIONS = 8

/** A turn has enough requests for the steps of ten milliseconds in which Linux counts. The engine compiles while servers warm up. */
const FULL = {warmUps: 4, rounds: 9, requests: 30_000, processes: 2, sites: 100_000}
const QUICK = {warmUps: 3, rounds: 7, requests: 20_000, processes: 1, sites: 2_000}

/** The settings that docs/operations.md recommends for 100,000 sites. */
const ROOM_FOR_MANY = {
  SITE_MEMORY_MB: '700',
  NODE_OPTIONS: '--max-old-space-size=900 --max-semi-space-size=16',
  MALLOC_ARENA_MAX: '1',
}

/** Limits for the CPU time of the service, compared with a bare Fastify. */
const LIMITS = {200: 1.1, 304: 1.15, many: 1.3}

/** Limits for the CPU time of the first request for a site of 100 tools, in milliseconds, and for the memory of all sites, in MiB. */
const COLD_LIMIT = 12
const MEMORY_LIMIT = 1_024

/** Limit for the scripts of 40 tools without code, compressed, in bytes. */
const SCRIPTS_LIMIT = 4_000

/** How long the service may take to begin, and to end, writing sites to disk, in milliseconds. */
const WRITES_AFTER = 1_500
const WRITES_FOR = 120_000

/** A server to measure, and the requests to send. */
type Contestant = {
  readonly name: string
  readonly server: Server
  /** The path of a request by its number. */
  readonly path: string | ((request: number) => string)
  readonly status: number
  readonly tag?: string
  readonly limit?: number
}

/** Sends requests, and measures the CPU time of the server's process for each, in microseconds. */
async function turn(
  contestant: Contestant,
  amount: number,
  first = 0,
  connections = CONNECTIONS,
): Promise<number> {
  const {server, path, status, tag} = contestant
  const before = await processorTime(server.pid)
  let sent = first
  const setupRequest = (request: autocannon.Request) => {
    sent += 1
    return {...request, path: typeof path === 'string' ? path : path(sent - 1)}
  }
  const result = await autocannon({
    ...{url: server.address, connections, amount},
    requests: [{path: '/', ...(typeof path === 'string' ? {path} : {setupRequest})}],
    ...(tag !== undefined && {headers: {'if-none-match': tag}}),
  })
  const expected = result[status === 304 ? '3xx' : '2xx']
  if (expected < amount) throw new Error(`${server.name}: ${expected} of ${amount} responses were ${status}`)
  return (((await processorTime(server.pid)) - before) * 1_000) / amount
}

/** Measures contestants in turn, so that a disturbance affects all; the first is the baseline. Every other round has the reverse order. */
async function compete(
  title: string,
  contests: readonly (readonly Contestant[])[],
  pace: typeof FULL,
  run: Run,
) {
  const cpu = new Map<string, number[]>()
  for (const contestants of contests) {
    for (const one of contestants)
      for (let warmUp = 0; warmUp < pace.warmUps; warmUp += 1) await turn(one, pace.requests)
    for (let round = 0; round < pace.rounds; round += 1)
      for (const one of round % 2 === 0 ? contestants : contestants.toReversed())
        cpu.set(one.name, [
          ...(cpu.get(one.name) ?? []),
          await turn(one, pace.requests, round * pace.requests),
        ])
  }
  const [baseline = []] = cpu.values()
  const rows = (contests[0] ?? []).map(async ({name, server, limit}) => {
    const own = cpu.get(name) ?? []
    const ratio = medianRatio(own, baseline)
    const memory = (await residentBytes(server.pid)) / 2 ** 20
    return {server: name, 'CPU µs': median(own), ratio, 'RSS MiB': memory, ...(limit && within(ratio, limit))}
  })
  run.show({title, rows: await Promise.all(rows)})
}

/** Measures the cost of requests to the service, compared with servers that only send the same bytes. */
export async function benchService(run: Run) {
  const pace = run.quick ? QUICK : FULL
  const hot = configPath(10, 10_240)
  const siteOf = (serial: number) => configPath(10, 5_120, serial)
  const full: Contestant[][] = []
  const unchanged: Contestant[][] = []
  const services: Server[] = []
  let baseline: Server | undefined
  for (let started = 0; started < pace.processes; started += 1) {
    const service = await startService(run)
    services.push(service)
    const [whole, small] = [await fetch(service.address + hot), await fetch(service.address + siteOf(0))]
    const bodies = new Map([
      ['10kb.json', await whole.bytes()],
      ['5kb.json', await small.bytes()],
    ])
    baseline = await startBaseline(bodies, run)
    const bare = {name: baseline.name, server: baseline, path: '/10kb.json'}
    const own = {name: service.name, server: service, path: hot}
    full.push([
      {...bare, status: 200},
      {...own, status: 200, limit: LIMITS[200]},
    ])
    const tag = whole.headers.get('etag') ?? ''
    unchanged.push([
      {...bare, status: 304, tag: '"bench"'},
      {...own, status: 304, tag, limit: LIMITS[304]},
    ])
  }
  await compete('A hot site, 200 at 10 KB', full, pace, run)
  await compete('A hot site, 304', unchanged, pace, run)
  for (const service of services.slice(0, 1)) await measureColdSite(service, run)
  await measureActions(run)

  const many = await startService(run, ROOM_FOR_MANY)
  await measureMemory(many, siteOf, pace.sites, run)
  if (!baseline) return {title: 'The service', method: []}
  const visits = (visited: number, limit?: number): Contestant => ({
    name: `service, ${visited.toLocaleString('en-US')} visited`,
    ...{server: many, status: 200, ...(limit && {limit})},
    path: (request) => siteOf((request % visited) * (pace.sites / visited)),
  })
  const bare = {name: baseline.name, server: baseline, path: () => '/5kb.json', status: 200}
  const title = `${pace.sites.toLocaleString('en-US')} sites of 10 tools, 200 at 5 KB`
  await compete(title, [[bare, visits(100, LIMITS.many), visits(pace.sites)]], pace, run)
  return {title: 'The service', method: methodOf(pace)}
}

/** Measures the cost of a site that was never requested: fetch, compile, respond and write to disk. */
async function measureColdSite(server: Server, run: Run) {
  const [amount, rounds] = [50, 8]
  const cold = {name: 'cold', server, path: (serial: number) => configPath(100, 10_240, serial), status: 200}
  const answered: number[] = []
  const written: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = await processorTime(server.pid)
    answered.push((await turn(cold, amount, round * amount, COLD_CONNECTIONS)) / 1_000)
    await untilWritten(server)
    written.push(((await processorTime(server.pid)) - before) / amount)
  }
  const cpu = median(answered.slice(rounds / 2))
  const rows = [
    {until: 'its first response', 'CPU ms': cpu, ...within(cpu, COLD_LIMIT, ' ms')},
    {until: 'its write to disk', 'CPU ms': median(written.slice(rounds / 2))},
  ]
  run.show({title: 'Cold site of 100 tools: never requested before', rows})
}

/** Measures what 40 tools without code add to a page, and what 2,000 of them cost. The baseline is their data. */
async function measureActions(run: Run) {
  const library = await actionLibrary()
  const recipes: Fields[] = TOOL_RECIPES.map(({fields}) => fields).filter(hasAction)
  const toolsOf = (length: number) => Array.from({length}, (_, at) => recipes[at % recipes.length] ?? {})
  const texts = {data: JSON.stringify, scripts: (tool: Fields) => String(servedScript(tool, library))}
  const rows = Object.entries(texts).map(([what, textOf]) => {
    const page = toolsOf(40).map((tool) => textOf(tool))
    const before = process.cpuUsage()
    for (const tool of toolsOf(2_000)) textOf(tool)
    const {user, system} = process.cpuUsage(before)
    const brotli = brotliCompressSync(page.join('')).length
    const limit = what === 'scripts' && within(brotli, SCRIPTS_LIMIT, ' B')
    return {what, bytes: page.join('').length, brotli, 'CPU ms of 2,000': (user + system) / 1_000, ...limit}
  })
  run.show({title: '40 tools without code', rows})
}

/** Makes a service fetch this many sites, and measures the memory they use. */
async function measureMemory(server: Server, path: (serial: number) => string, requested: number, run: Run) {
  const before = await residentBytes(server.pid)
  const cpu = await turn({name: 'all', server, path, status: 200}, requested, 0, COLD_CONNECTIONS)
  await untilWritten(server)
  const {samples} = await metricsOf(server.address)
  const memory = (await residentBytes(server.pid)) / 2 ** 20
  const held = samples.get('handrail_sites') ?? 0
  const row = {
    ...{requested, 'in memory': held, 'RSS MiB': memory, 'RSS MiB before': before / 2 ** 20},
    'CPU ms per site': cpu / 1_000,
    ...within(held === requested ? memory : Number.POSITIVE_INFINITY, MEMORY_LIMIT, ' MiB with all'),
  }
  run.show({title: 'Memory of sites of 10 tools of 1 KB, each requested once', rows: [row]})
}

/** Waits until a service has finished writing to disk. */
async function untilWritten({address}: Server): Promise<void> {
  const deadline = performance.now() + WRITES_FOR
  let before = Number.NaN
  while (performance.now() < deadline) {
    await setTimeout(WRITES_AFTER)
    const {samples} = await metricsOf(address)
    const count = samples.get('handrail_snapshot_operations_total{operation="written",outcome="done"}') ?? 0
    if (count === before) return
    before = count
  }
  throw new Error('the service keeps writing sites to disk')
}

function methodOf({processes, rounds, warmUps, requests}: typeof FULL): string[] {
  return [
    'CPU µs: user and system time of all threads of the server’s process, as Linux counts it, divided by the requests that it served.',
    `Each server runs in its own process${isPinned ? ', pinned to one core; autocannon and the simulated Content Lake share another' : ''}. autocannon keeps ${CONNECTIONS} connections busy.`,
    `Each server has ${processes} processes, except with many sites, because identical processes differ by an eighth. In each there are ${rounds} rounds of ${requests} requests after ${warmUps} turns to warm up; every other round runs in reverse order.`,
    'Ratio: CPU of the row divided by CPU of the first row in the same round. All figures are medians of the rounds.',
    'The service runs with its defaults: CORS, limits that count but refuse nothing here, metrics and Age, in front of a Content Lake that generates sites. Baselines send the bytes that the service sent.',
    'RSS: memory of the process after the table was measured, including what it keeps from earlier tables.',
  ]
}
