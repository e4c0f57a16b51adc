import {setTimeout} from 'node:timers/promises'
import {metricsOf} from '../../test/support/metrics.ts'
import {processorTime, residentBytes} from '../../test/support/processes.ts'
import {median} from '../median.ts'
import {type Table, within} from '../report.ts'
import type {Load} from './load.ts'
import type {Server} from './servers.ts'
import {configPath} from './stage.ts'

/** Number of connections for requests for cold sites. The service would reject more concurrent queries. */
const CONNECTIONS = 8

/** Number of sites to fetch in one batch, and the timeout for a batch in milliseconds. */
const BATCH = 1_000
const PATIENCE = 60_000

/**
 * Maximum failed batches, and a pause in milliseconds after which the service certainly queries upstream
 * again.
 */
const FAILURES = 3
const PAUSE = 6_000

/**
 * How long it takes until a service begins to write fetched sites to disk, and how long writing may take, in
 * milliseconds.
 */
const WRITES_AFTER = 1_500
const WRITES_FOR = 120_000

/** Limit for the CPU time of the first request for a site of 100 tools, in milliseconds. */
const COLD_LIMIT = 12

/** So many sites that the engine has compiled what compiles them. */
const COLD_WARM_UPS = 5

/** Limit for the memory of all sites, in MiB. */
const MEMORY_LIMIT = 1_024

/**
 * Measures the cost of a cold site: fetch, compile, respond and write to disk.
 * @param rounds in each of the services, after those that warm up.
 */
export async function measureColdSites(
  services: readonly Server[],
  load: Load,
  rounds: number,
): Promise<Table> {
  const size = {tools: 100, bytes: 10_240}
  const perRound = 50
  const answered: number[] = []
  const written: number[] = []
  for (const service of services) {
    for (let round = 0; round < COLD_WARM_UPS + rounds; round += 1) {
      const before = await processorTime(service.pid)
      await fetchSites(service, load, configPath(size, '{n}'), perRound, round * perRound)
      const between = await processorTime(service.pid)
      await untilWritten(service)
      const after = await processorTime(service.pid)
      if (round < COLD_WARM_UPS) continue
      answered.push((between - before) / perRound)
      written.push((after - before) / perRound)
    }
  }
  const cpu = median(answered)
  return {
    title: 'Cold site of 100 tools: never requested before',
    rows: [
      {until: 'its first response', 'CPU ms': cpu, ...within(cpu, COLD_LIMIT, ' ms')},
      {until: 'its write to disk', 'CPU ms': median(written)},
    ],
  }
}

/** Makes a service fetch this many sites, and measures the memory they use. */
export async function measureMemory(
  service: Server,
  load: Load,
  path: string,
  sites: number,
): Promise<Table> {
  console.error(`\nRequesting ${sites.toLocaleString('en-US')} sites, which takes a while.`)
  const before = {memory: await residentBytes(service.pid), time: await processorTime(service.pid)}
  await fetchSites(service, load, path, sites)
  await untilWritten(service)
  const {samples} = await metricsOf(service.address)
  const memory = await residentBytes(service.pid)
  const held = samples.get('handrail_sites') ?? 0
  return {
    title: 'Memory of sites of 10 tools of 1 KB, each requested once',
    rows: [
      {
        requested: sites,
        'in memory': held,
        'RSS MiB': memory / 2 ** 20,
        'RSS MiB before': before.memory / 2 ** 20,
        'heap MiB': (samples.get('nodejs_heap_size_used_bytes') ?? 0) / 2 ** 20,
        'outside the heap MiB': (samples.get('nodejs_external_memory_bytes') ?? 0) / 2 ** 20,
        'RSS KiB per site': held === 0 ? 0 : (memory - before.memory) / held / 2 ** 10,
        'CPU ms per site': ((await processorTime(service.pid)) - before.time) / sites,
        ...within(
          held === sites ? memory / 2 ** 20 : Number.POSITIVE_INFINITY,
          MEMORY_LIMIT,
          ' MiB with all',
        ),
      },
    ],
  }
}

/**
 * Requests this many sites, each once. Retries if the simulated upstream was too slow on a busy machine.
 * @param path a template.
 */
async function fetchSites(
  service: Server,
  load: Load,
  path: string,
  count: number,
  first = 0,
): Promise<void> {
  const end = first + count
  for (let next = first, failures = 0; next < end; ) {
    const sites = Math.min(BATCH, end - next)
    try {
      await fetchBatch(service, load, path, next, sites)
      next += sites
    } catch (error) {
      failures += 1
      if (failures > FAILURES) throw error
      await setTimeout(PAUSE)
    }
  }
}

async function fetchBatch(
  {address}: Server,
  load: Load,
  path: string,
  first: number,
  sites: number,
): Promise<void> {
  const order = {address, path, numbers: Number.MAX_SAFE_INTEGER, status: 200, sent: first, requests: sites}
  const requests = await load.send({...order, connections: CONNECTIONS, milliseconds: PATIENCE})
  if (requests < sites) throw new Error(`only ${requests} of ${sites} sites were fetched in time`)
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
