import {randomBytes} from 'node:crypto'
import {connect, type Socket} from 'node:net'
import {setTimeout} from 'node:timers/promises'
import {parentPort, workerData} from 'node:worker_threads'

/** The load of strangers: total requests per second. */
export type Orders = {address: string; rate: number; seconds: number}

/** Requests sent, and responses by status. */
export type Report = {sent: number; statuses: Record<string, number>}

const CONNECTIONS = 32

/** Milliseconds between two waves. */
const WAVE_EVERY = 10

/** Maximum pending requests of one connection: a client without responses stops sending. */
const ON_THEIR_WAY = 50

/** A connection that pipelines requests for unknown public IDs. */
class Stranger {
  readonly report: Report = {sent: 0, statuses: {}}
  readonly #socket: Socket
  readonly #salt = randomBytes(8).toString('hex')
  readonly #rest: string

  constructor(address: string) {
    const {hostname, port, host} = new URL(address)
    this.#rest = `/config HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    this.#socket = connect(Number(port), hostname)
    this.#socket.on('error', () => {})
    this.#socket.on('data', (chunk: Buffer) => {
      // Misses a status line split between two chunks: one in thousands.
      for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
        this.report.statuses[status] = (this.report.statuses[status] ?? 0) + 1
      }
    })
  }

  get answered(): number {
    return Object.values(this.report.statuses).reduce((sum, count) => sum + count, 0)
  }

  /** Sends as many requests as the limit allows. */
  ask(requests: number): void {
    const count = Math.max(0, Math.min(requests, ON_THEIR_WAY - (this.report.sent - this.answered)))
    const lines = Array.from(
      {length: count},
      () => `GET /api/sites/${this.#salt}-${this.report.sent++}${this.#rest}`,
    )
    if (count > 0) this.#socket.write(lines.join(''))
  }

  close(): void {
    this.#socket.destroy()
  }
}

async function run({address, rate, seconds}: Orders): Promise<Report> {
  const strangers = Array.from({length: CONNECTIONS}, () => new Stranger(address))
  const started = performance.now()
  const elapsed = () => (performance.now() - started) / 1_000
  for (let asked = 0; elapsed() < seconds; await setTimeout(WAVE_EVERY)) {
    const due = Math.floor(elapsed() * rate) - asked
    asked += due
    for (const stranger of strangers) stranger.ask(Math.ceil(due / CONNECTIONS))
  }
  await setTimeout(1_000)
  const sum: Report = {sent: 0, statuses: {}}
  for (const {report, close} of strangers.map((stranger) => ({
    report: stranger.report,
    close: () => stranger.close(),
  }))) {
    sum.sent += report.sent
    for (const [status, count] of Object.entries(report.statuses))
      sum.statuses[status] = (sum.statuses[status] ?? 0) + count
    close()
  }
  return sum
}

if (parentPort) parentPort.postMessage(await run(workerData))
