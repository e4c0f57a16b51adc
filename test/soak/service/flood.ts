import {randomBytes} from 'node:crypto'
import {connect, type Socket} from 'node:net'
import {setTimeout} from 'node:timers/promises'
import {hold} from '../violation.ts'
import {startStage} from './stage.ts'
import {Visitor} from './visitor.ts'

export type Flood = {
  /** Requests for made-up public identifiers, and how many answers there were of each status. */
  sent: number
  statuses: Record<string, number>
  /** Milliseconds that visitors of known sites waited. */
  times: number[]
  queries: number
  mostUnanswered: number
  /** Bytes before, at most, and when it was over. */
  memory: {before: number; most: number; after: number}
}

const CONNECTIONS = 16

/** Milliseconds between two waves. */
const WAVE_EVERY = 20

/** Milliseconds between two visitors of known sites. */
const VISITOR_EVERY = 10

/** Queries that the lake may be asked at once. */
const AT_ONCE = 32

/**
 * Asks for made-up public identifiers while known sites are visited and changed.
 * @throws Violation when a known site is not answered, or the lake is asked more than it should be.
 */
export async function flood(rate: number, seconds: number): Promise<Flood> {
  const stage = await startStage(50)
  const visitor = new Visitor(stage.serviceAddress)
  const strangers = Array.from({length: CONNECTIONS}, () => new Stranger(stage.serviceAddress))
  const times: number[] = []
  const memory = {before: await stage.memory(), most: 0, after: 0}
  const started = performance.now()
  const isOver = () => performance.now() - started > seconds * 1_000
  let sent = 0

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
    const others = Promise.all([visit(), publish()])
    while (!isOver()) {
      const due = Math.floor(((performance.now() - started) / 1_000) * rate) - sent
      for (const [index, stranger] of strangers.entries()) {
        stranger.ask(Math.floor(due / CONNECTIONS) + (index < due % CONNECTIONS ? 1 : 0))
      }
      sent += due
      await setTimeout(WAVE_EVERY)
    }
    await others
    await Promise.all(strangers.map((stranger) => stranger.answered()))
    memory.after = await stage.memory()
    const {queries, mostUnanswered} = stage.network
    hold(mostUnanswered <= AT_ONCE, `the lake was asked ${mostUnanswered} queries at once`)
    return {sent, statuses: sumOf(strangers), times, queries: queries.length, mostUnanswered, memory}
  } finally {
    for (const stranger of strangers) stranger.close()
    visitor.close()
    await stage.close()
  }
}

/** One connection full of requests for what does not exist, as fast as the service takes them. */
class Stranger {
  readonly statuses: Record<string, number> = {}
  readonly #socket: Socket
  readonly #host: string
  #unanswered = 0

  constructor(address: string) {
    const {hostname, port, host} = new URL(address)
    this.#host = host
    this.#socket = connect(Number(port), hostname)
    this.#socket.on('error', () => {})
    this.#socket.on('data', (chunk: Buffer) => {
      // A status line that falls between two chunks is not counted: one in thousands.
      for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
        this.statuses[status] = (this.statuses[status] ?? 0) + 1
        this.#unanswered--
      }
    })
  }

  ask(requests: number): void {
    const lines = Array.from(
      {length: requests},
      () =>
        `GET /api/sites/${randomBytes(12).toString('hex')}/config HTTP/1.1\r\nHost: ${this.#host}\r\n\r\n`,
    )
    this.#unanswered += requests
    this.#socket.write(lines.join(''))
  }

  /** Waits for the answers that are still to come, within reason. */
  async answered(): Promise<void> {
    for (let i = 0; i < 100 && this.#unanswered > 0; i++) await setTimeout(100)
  }

  close(): void {
    this.#socket.destroy()
  }
}

function sumOf(strangers: readonly Stranger[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const {statuses} of strangers)
    for (const [status, count] of Object.entries(statuses)) sum[status] = (sum[status] ?? 0) + count
  return sum
}
