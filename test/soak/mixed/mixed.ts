import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {processorTime} from '../../support/processes.ts'
import {checkFollowed, checkLog, checkSound} from '../check.ts'
import {startPair} from '../pair.ts'
import {Random} from '../random.ts'
import {hold} from '../violation.ts'
import {documents, Ledger, publicIdOf, SITES} from './ledger.ts'
import {type Counts, floodConnections, type Ground, makeUp, monitor, publish, visit} from './load.ts'
import {type Outage, Outages} from './outages.ts'
import {type Series, sampled, samplesIn, seriesOf} from './samples.ts'

export type MixedPlan = {
  minutes: number
  seed: number
  signal: AbortSignal
  /** Told once a minute. */
  progress(counts: Counts, memory: Record<string, number>): void
}

export type Mixed = {
  counts: Counts
  outages: readonly Outage[]
  /** By process. */
  series: Record<string, Series[]>
  /** Milliseconds of a processor, by process. */
  processorTimes: Record<string, number>
}

const VISITORS = 32
const VISITOR_ADDRESSES = 16

/** Milliseconds that caches, pools and the heap may take to fill. */
const WARM_UP = 300_000

/**
 * Publishes, polls, made-up identifiers, outages and floods of connections at once, between a lake and a service that are
 * processes of their own.
 * @throws Violation where an answer is not what is promised, or something grows.
 */
export async function mixLoads({minutes, seed, signal, progress}: MixedPlan): Promise<Mixed> {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-soak-'))
  const files = {service: join(dir, 'service.jsonl'), lake: join(dir, 'lake.jsonl')}
  const pair = await startPair({
    documents: documents(),
    lake: sampled(files.lake),
    service: sampled(files.service),
  })
  const {repository, lake, lakeAddress, network, service} = pair
  try {
    for (let site = 0; site < SITES; site++) {
      const {status} = await fetch(`${service.address}/api/sites/${publicIdOf(site)}/config`)
      hold(status === 200, `${publicIdOf(site)} was answered ${status} at first`)
    }

    const random = new Random(seed)
    const outages = new Outages(network, new Random(random.between(1, 2 ** 30)))
    const end = new AbortController()
    const counts: Counts = {
      answers: new Map(),
      slowest: 0,
      publishes: 0,
      seen: [],
      seenInOutages: [],
      idleConnections: 0,
    }
    const ground: Ground = {
      serviceAddress: service.address,
      lakeAddress,
      ledger: new Ledger(outages),
      outages,
      counts,
      signal: AbortSignal.any([end.signal, signal]),
    }
    const started = Date.now()
    const own = () => new Random(random.between(1, 2 ** 30))
    const loads = [
      ...Array.from({length: VISITORS}, (_, visitor) =>
        visit(ground, own(), `127.0.0.${2 + (visitor % VISITOR_ADDRESSES)}`),
      ),
      makeUp(ground, own(), {localAddress: '127.0.1.1', every: 2_500, isLimited: false}),
      makeUp(ground, own(), {localAddress: '127.0.1.2', every: 200, isLimited: true}),
      publish(ground, own()),
      floodConnections(ground, own()),
      monitor(ground),
      outages.run(ground.signal),
      report(),
    ].map((load) => load.catch((error: unknown) => stopFor(error)))

    async function report(): Promise<void> {
      for (let minute = 1; minute <= minutes; minute++) {
        await setTimeout(60_000, undefined, {signal: ground.signal})
        // The network remembers everything that was asked, for tests that are shorter.
        network.queries.length = 0
        network.exchanges.length = 0
        progress(counts, {
          service: (await samplesIn(files.service)).at(-1)?.memory ?? 0,
          lake: (await samplesIn(files.lake)).at(-1)?.memory ?? 0,
        })
      }
      end.abort()
    }

    let failure: unknown
    function stopFor(error: unknown): void {
      if (ground.signal.aborted) return
      failure = error
      end.abort()
    }
    await Promise.all(loads)
    signal.throwIfAborted()
    if (failure) {
      const last = outages.all.at(-1)
      const since = last
        ? `${last.name} (${Date.now() - last.start} ms ago, ${last.end ? 'over' : 'still'})`
        : 'none'
      throw new Error(
        `${failure instanceof Error ? failure.message : failure}\nthe last outage: the lake ${since}`,
      )
    }

    await checkFollowed(repository, lakeAddress)
    await checkSound(repository)
    checkLog(lake)
    return await result()

    async function result(): Promise<Mixed> {
      const series = Object.fromEntries(
        await Promise.all(
          Object.entries(files).map(async ([name, file]) => {
            const samples = (await samplesIn(file)).filter(({at}) => at > started + WARM_UP)
            return [name, seriesOf(samples)] as const
          }),
        ),
      )
      return {
        counts,
        outages: outages.all,
        series,
        processorTimes: {service: await processorTime(service.pid), lake: await processorTime(lake.pid)},
      }
    }
  } finally {
    await pair.close()
    await rm(dir, {recursive: true, force: true, maxRetries: 3})
  }
}
