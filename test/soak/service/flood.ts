import {once} from 'node:events'
import {setTimeout} from 'node:timers/promises'
import {Worker} from 'node:worker_threads'
import {hold} from '../violation.ts'
import {startStage} from './stage.ts'
import type {Orders, Report} from './strangers.ts'
import {Visitor} from './visitor.ts'

export type Flood = Report & {
  /** Response times of known sites, in milliseconds. */
  times: number[]
  queries: number
  mostUnanswered: number
  /** Bytes before, at most, and when it was over. */
  memory: {before: number; most: number; after: number}
  /** Milliseconds of a processor that the service took for all of it. */
  processorTime: number
}

/** Milliseconds between two visitors of known sites. */
const VISITOR_EVERY = 10

/** Megabytes of the service's heap: if something grew without bounds, it would end. */
const HEAP = 192

/** Maximum concurrent queries to the lake. */
const AT_ONCE = 32

/**
 * Requests made-up public IDs while known sites are visited and changed.
 * @throws Violation if a known site gets no config, or the lake gets too many queries.
 */
export async function flood(rate: number, seconds: number): Promise<Flood> {
  const stage = await startStage(50, {NODE_OPTIONS: `--max-old-space-size=${HEAP}`})
  const visitor = new Visitor(stage.serviceAddress)
  const times: number[] = []
  const memory = {before: await stage.memory(), most: 0, after: 0}
  const before = await stage.processorTime()
  const started = performance.now()
  const isOver = () => performance.now() - started > seconds * 1_000

  async function visit(): Promise<void> {
    for (let number = 0; !isOver(); number++) {
      const {status, milliseconds} = await visitor.ask(stage.publicIds[number % stage.publicIds.length] ?? '')
      hold(status === 200, `a known site returned ${status}`)
      times.push(milliseconds)
      await setTimeout(VISITOR_EVERY)
    }
  }

  async function publish(): Promise<void> {
    for (let number = 0; !isOver(); number++) {
      const description = `Edition ${number}.`
      await stage.client.patch('tool-0').set({description}).commit()
      memory.most = Math.max(memory.most, await stage.memory())
      await setTimeout(200)
    }
  }

  try {
    const strangers = sendStrangers({address: stage.serviceAddress, rate, seconds})
    await Promise.all([visit(), publish()])
    const report = await strangers
    memory.after = await stage.memory()
    const {queries, mostUnanswered} = stage.network
    hold(mostUnanswered <= AT_ONCE, `${mostUnanswered} concurrent queries to the lake`)
    return {
      ...report,
      times,
      queries: queries.length,
      mostUnanswered,
      memory,
      processorTime: (await stage.processorTime()) - before,
    }
  } finally {
    visitor.close()
    await stage.close()
  }
}

/** Strangers run in a separate thread, so that they do not delay the measurements. */
async function sendStrangers(orders: Orders): Promise<Report> {
  const worker = new Worker(new URL('./strangers.ts', import.meta.url), {workerData: orders})
  const [report]: Report[] = await once(worker, 'message')
  if (!report) throw new Error('the strangers sent no report')
  return report
}
