import {deepEqual, equal, match} from 'node:assert/strict'
import type {Socket} from 'node:net'
import {type TestContext, test} from 'node:test'
import {gzipSync} from 'node:zlib'
import {askFrom, connectFrom} from '../../support/client.ts'
import {eventually} from '../../support/eventually.ts'
import {token} from '../support/app.ts'
import {runLake} from '../support/lake.ts'

const NEIGHBOUR = '127.0.0.3'
/** More than the size up to which bodies are not counted. */
const LARGE = JSON.stringify({query: '*[0]._id', params: {padding: 'x'.repeat(900_000)}})
const known = {authorization: `Bearer ${token}`}

async function start(t: TestContext) {
  const {address} = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}})
  const version = `${address}/v2025-02-19`
  const {pathname} = new URL(`${version}/data/query/production`)
  const json = {'content-type': 'application/json'}
  return {
    /** Starts to post so many bodies and never finishes them. Rejected ones are closed with a response. */
    async stall(client: string, count: number): Promise<Set<Socket>> {
      const open = new Set<Socket>()
      for (let begun = 0; begun < count; begun++) {
        const socket = await connectFrom(client, address)
        t.after(() => socket.destroy())
        open.add(socket)
        socket.once('close', () => open.delete(socket)).resume()
        socket.write(
          `POST ${pathname} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n` +
            `authorization: ${known.authorization}\r\ncontent-length: 1000000\r\n\r\n{`,
        )
      }
      return open
    },
    post(client: string, headers = {}, body = LARGE) {
      const options = {method: 'POST', headers: {...json, ...known, ...headers}, body}
      return askFrom(client, `${version}/data/query/production`, options)
    },
  }
}

test('an editor’s bodies are limited by account: 16 MiB concurrently over all addresses', async (t) => {
  const {stall, post} = await start(t)
  const large = await post(NEIGHBOUR, {'content-length': 2 ** 20 + 1}, '')
  equal(large.status, 413, 'refused before a byte of the body is sent')
  const open: Set<Socket>[] = []
  for (const client of ['127.0.2.1', '127.0.2.2', '127.0.2.3']) open.push(await stall(client, 6))
  await eventually(() => open.reduce((sum, {size}) => sum + size, 0), 16)
  const refused = await post(NEIGHBOUR)
  deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
  equal((await post(NEIGHBOUR, {}, '{"query": "1"}')).status, 200, 'small bodies are not counted')
  for (const sockets of open) for (const socket of sockets) socket.destroy()
  await eventually(async () => (await post(NEIGHBOUR)).status, 200)
})

test('a body with a content coding is refused in words', async (t) => {
  const {address} = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}})
  const response = await fetch(`${address}/v2025-02-19/data/query/production`, {
    method: 'POST',
    headers: {...known, 'content-type': 'application/json', 'content-encoding': 'gzip'},
    body: gzipSync('{"query": "*"}'),
  })
  equal(response.status, 415)
  match(await response.text(), /Bodies are not accepted with .*Content-Encoding: gzip.*send them as they are/)
})
