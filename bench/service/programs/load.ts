import {createHistogram} from 'node:perf_hooks'
import {type Order, type Outcome, pathWith} from '../load.ts'
import {converse} from './connection.ts'
import {tellParent} from './parent.ts'

/** Sends requests as ordered. Stops at the first error. */
async function carryOut(order: Order): Promise<Outcome> {
  const {address, path, numbers = 1, step = 1, headers = {}, status, connections, milliseconds} = order
  const {requests = Number.POSITIVE_INFINITY} = order
  const fields = Object.entries({host: new URL(address).host, ...headers})
  const rest = `\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  const latencies = createHistogram()
  const failure = new AbortController()
  const deadline = performance.now() + milliseconds
  let sent = 0

  const conversation = {
    status,
    signal: failure.signal,
    next() {
      if (sent >= requests || performance.now() >= deadline) return undefined
      const turn = order.sent + sent
      sent += 1
      return `GET ${pathWith(path, (turn % numbers) * step)} HTTP/1.1${rest}`
    },
    answered(time: number) {
      latencies.record(Math.max(1, Math.round(time * 1_000)))
    },
  }
  try {
    await Promise.all(Array.from({length: connections}, () => converse(address, conversation)))
  } finally {
    failure.abort()
  }
  return {requests: latencies.count, p50: latencies.percentile(50), p99: latencies.percentile(99)}
}

process.on('message', ({question}: {question: Order}) => {
  carryOut(question).then(tellParent, (error: unknown) => tellParent(String(error)))
})
tellParent('ready')
