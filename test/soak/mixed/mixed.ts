import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {processorTime} from '../../support/processes.ts'
import {checkFollowed, checkLog, checkSound} from '../check.ts'
import {type Pair, startPair} from '../pair.ts'
import {Random} from '../random.ts'
import {Violation} from '../violation.ts'
import {crowdDocuments, enterCrowd, visitCrowd} from './crowd.ts'
import {checkNewest, publish} from './editor.ts'
import type {Counts, Ground} from './ground.ts'
import {documents, Ledger} from './ledger.ts'
import {floodConnections, monitor} from './neighbours.ts'
import {type Outage, Outages} from './outages.ts'
import {type Series, sampled, samplesIn, seriesOf} from './samples.ts'
import {makeUp, visit} from './visitors.ts'

export type MixedPlan = {
  minutes: number
  /** Number of sites that do not change. */
  sites: number
  seed: number
  signal: AbortSignal
  /** Reported once a minute. */
  progress(counts: Counts, memory: Record<string, number>): void
}

export type Mixed = {
  counts: Counts
  outages: readonly Outage[]
  /** By process. */
  series: Record<string, Series[]>
  /** Processor time by process, in milliseconds. */
  processorTimes: Record<string, number>
}

/** Where processes report what they hold. */
type Files = Readonly<Record<'service' | 'lake', string>>

const VISITORS = 32
const VISITOR_ADDRESSES = 16

/** Time for caches, pools and the heap to fill, in milliseconds. */
const WARM_UP = 300_000

/**
 * Runs publishes, polls, made-up public IDs, outages and connection floods at once against a lake and a
 * service in separate processes.
 * @throws Violation if a response breaks a promise, or something grows.
 */
export async function mixLoads({minutes, sites, seed, signal, progress}: MixedPlan): Promise<Mixed> {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-soak-'))
  const files: Files = {service: join(dir, 'service.jsonl'), lake: join(dir, 'lake.jsonl')}
  let pair: Pair | undefined
  try {
    pair = await startPair({
      documents: documents(),
      crowd: crowdDocuments(sites),
      lake: sampled(files.lake),
      service: sampled(files.service),
    })
    const {repository, lake, lakeAddress, network, service} = pair
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
    // Sites that were never requested have no last known good config.
    await checkNewest(ground)
    await enterCrowd(ground, sites)
    const started = Date.now()

    async function report(): Promise<void> {
      for (let minute = 1; minute <= minutes; minute++) {
        await setTimeout(60_000, undefined, {signal: ground.signal})
        // The network records all requests, for shorter tests.
        network.queries.length = 0
        network.exchanges.length = 0
        progress(counts, {
          service: (await samplesIn(files.service)).at(-1)?.memory ?? 0,
          lake: (await samplesIn(files.lake)).at(-1)?.memory ?? 0,
        })
      }
    }

    await runUntilOneEnds(
      [
        ...loadsOf(ground, random),
        ...visitCrowd(ground, random, sites),
        outages.run(ground.signal),
        report(),
      ],
      end,
      outages,
    )
    signal.throwIfAborted()
    await checkNewest(ground)
    await checkFollowed(repository, lakeAddress)
    await checkSound(repository)
    checkLog(lake)
    return {
      counts,
      outages: outages.all,
      series: await seriesAfter(started + WARM_UP, files),
      processorTimes: {service: await processorTime(service.pid), lake: await processorTime(lake.pid)},
    }
  } finally {
    await pair?.close()
    await rm(dir, {recursive: true, force: true, maxRetries: 3})
  }
}

function loadsOf(ground: Ground, random: Random): Promise<void>[] {
  const own = () => new Random(random.between(1, 2 ** 30))
  return [
    ...Array.from({length: VISITORS}, (_, visitor) =>
      visit(ground, own(), `127.0.0.${2 + (visitor % VISITOR_ADDRESSES)}`),
    ),
    makeUp(ground, own(), {localAddress: '127.0.1.1', every: 2_500, isLimited: false}),
    makeUp(ground, own(), {localAddress: '127.0.1.2', every: 200, isLimited: true}),
    publish(ground, own()),
    floodConnections(ground, own()),
    monitor(ground),
  ]
}

/**
 * Stops all tasks when the first one ends, because of the time limit or a violation.
 * @throws Violation with the last outage.
 */
async function runUntilOneEnds(
  parts: readonly Promise<void>[],
  end: AbortController,
  {all}: Pick<Outages, 'all'>,
): Promise<void> {
  try {
    await Promise.race(parts)
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return
    const last = all.at(-1)
    const when = last?.end === undefined ? 'still' : `until ${Date.now() - last.end} ms ago`
    const reason = error instanceof Error ? error.message : String(error)
    throw new Violation(
      `${reason}\n${last ? `the last outage: the lake ${last.name}, ${when}` : 'no outage yet'}`,
    )
  } finally {
    end.abort()
    await Promise.allSettled(parts)
  }
}

async function seriesAfter(moment: number, files: Files): Promise<Record<string, Series[]>> {
  const series = Object.entries(files).map(async ([name, file]) => {
    const samples = (await samplesIn(file)).filter(({at}) => at > moment)
    return [name, seriesOf(samples)] as const
  })
  return Object.fromEntries(await Promise.all(series))
}
