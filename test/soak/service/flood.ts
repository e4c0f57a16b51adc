import {once} from 'node:events'
import {setTimeout} from 'node:timers/promises'
import {Worker} from 'node:worker_threads'
import {hold} from '../violation.ts'
import {startStage} from './stage.ts'
import type {Orders, Report} from './strangers.ts'
import {Visitor} from './visitor.ts'

export type Flood = Report & {
  /** Milliseconds that visitors of known sites waited. */
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

/** Queries that the lake may be asked at once. */
const AT_ONCE = 32

/**
 * Asks for made-up public identifiers while known sites are visited and changed.
 * @throws Violation when a known site is not answered, or the lake is asked more than it should be.
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
      hold(status === 200, `a known site was answered ${status}`)
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
    hold(mostUnanswered <= AT_ONCE, `the lake was asked ${mostUnanswered} queries at once`)
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

/** Strangers have a thread of their own, so that those who measure are not kept waiting by them. */
async function sendStrangers(orders: Orders): Promise<Report> {
  const worker = new Worker(new URL('./strangers.ts', import.meta.url), {workerData: orders})
  const [report]: Report[] = await once(worker, 'message')
  if (!report) throw new Error('the strangers sent no report')
  return report
}
