import {connect, type Socket} from 'node:net'
import {createHistogram} from 'node:perf_hooks'
import type {Order, Outcome} from '../load.ts'
import {templateOf} from '../template.ts'
import {answerAt} from './answer.ts'
import {tellParent} from './parent.ts'

/** Bytes that are read at once. What is read is counted and overwritten. */
const READ_SIZE = 256 * 1024

/** Sends requests by the order, one at a time on each connection. */
async function carryOut(order: Order): Promise<Outcome> {
  const {address, path, numbers = 1, step = 1, headers = {}, status, connections, milliseconds} = order
  const {hostname, port, host} = new URL(address)
  const pathOf = templateOf(path)
  const fields = Object.entries({host, ...headers}).map(([name, value]) => `${name}: ${value}\r\n`)
  const afterPath = ` HTTP/1.1\r\n${fields.join('')}\r\n`
  const latencies = createHistogram()
  const {requests = Number.POSITIVE_INFINITY} = order
  const deadline = performance.now() + milliseconds
  let sent = 0

  function converse(): Promise<void> {
    const {promise, resolve, reject} = Promise.withResolvers<void>()
    let sentAt = 0
    let missing = 0
    let torn: Buffer | undefined

    const ask = () => {
      sentAt = performance.now()
      if (sent >= requests || sentAt >= deadline) {
        socket.destroy()
        return
      }
      const number = ((order.sent + sent) * step) % (numbers * step)
      sent++
      socket.write(`GET ${pathOf(number)}${afterPath}`, 'latin1')
    }

    const take = (bytes: Uint8Array, size: number) => {
      if (missing > 0) missing -= size
      else {
        const piece = Buffer.from(bytes.buffer, bytes.byteOffset, size)
        const begun = torn ? Buffer.concat([torn, piece]) : piece
        const answer = answerAt(begun)
        // The bytes are overwritten by the next ones.
        torn = answer ? undefined : Buffer.from(begun)
        if (!answer) return
        if (answer.status !== status) throw new Error(`answered ${answer.status} instead of ${status}`)
        missing = answer.length - begun.length
      }
      if (missing < 0) throw new Error('answered more than was asked for')
      if (missing > 0) return
      latencies.record(Math.max(1, Math.round((performance.now() - sentAt) * 1_000)))
      ask()
    }

    const socket: Socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(READ_SIZE),
        callback(size, buffer) {
          try {
            take(buffer, size)
          } catch (error) {
            socket.destroy(error instanceof Error ? error : new Error(String(error)))
          }
          return true
        },
      },
    })
    socket.on('connect', ask)
    socket.on('error', reject)
    socket.on('close', () =>
      sentAt >= deadline || sent >= requests ? resolve() : reject(new Error('closed')),
    )
    return promise
  }

  await Promise.all(Array.from({length: connections}, converse))
  const micros = (percentile: number) => latencies.percentile(percentile)
  return {requests: latencies.count, p50: micros(50), p99: micros(99)}
}

process.on('message', ({question}: {question: Order}) => {
  carryOut(question).then(tellParent, (error: unknown) => tellParent(String(error)))
})
tellParent('ready')
