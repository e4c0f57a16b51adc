import {Pool} from 'undici'
import {type Order, pathWith} from '../load.ts'
import {tellParent} from './parent.ts'

/** Sends requests as ordered. Stops at the first error. @returns the number of responses */
async function carryOut(order: Order): Promise<number> {
  const {address, path, numbers = 1, step = 1, headers = {}, status, connections, milliseconds} = order
  const {requests = Number.POSITIVE_INFINITY} = order
  const pool = new Pool(address, {connections})
  const deadline = performance.now() + milliseconds
  let sent = 0

  async function keepAsking(): Promise<void> {
    while (sent < requests && performance.now() < deadline) {
      const turn = order.sent + sent
      sent += 1
      const request = {method: 'GET', path: pathWith(path, (turn % numbers) * step), headers} as const
      const {statusCode, body} = await pool.request(request)
      await body.arrayBuffer()
      if (statusCode !== status) throw new Error(`returned ${statusCode} instead of ${status}`)
    }
  }

  try {
    await Promise.all(Array.from({length: connections}, keepAsking))
  } finally {
    await pool.destroy()
  }
  return sent
}

process.on('message', ({question}: {question: Order}) => {
  carryOut(question).then(tellParent, (error: unknown) => tellParent(String(error)))
})
tellParent('ready')
