import {deepEqual, equal} from 'node:assert/strict'
import type {Socket} from 'node:net'
import {type TestContext, test} from 'node:test'
import {askFrom, connectFrom} from '../../support/client.ts'
import {eventually} from '../../support/eventually.ts'
import {queryPath, token} from '../support/app.ts'
import {runLake} from '../support/lake.ts'

const ATTACKER = '127.0.0.2'
const NEIGHBOUR = '127.0.0.3'
/** More than the size up to which bodies are not counted. */
const LARGE = JSON.stringify({query: '*[0]._id', params: {padding: 'x'.repeat(900_000)}})
const known = {authorization: `Bearer ${token}`}

async function start(t: TestContext) {
  const {address} = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}})
  const version = `${address}/v2025-02-19`
  const {pathname} = new URL(`${version}/data/query/production`)
  return {
    /** Starts to post so many queries and never finishes them. Rejected ones are closed with a response. */
    async stall(client: string, count: number, headers: Record<string, string> = {}): Promise<Set<Socket>> {
      const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const open = new Set<Socket>()
      for (let begun = 0; begun < count; begun++) {
        const socket = await connectFrom(client, address)
        t.after(() => socket.destroy())
        open.add(socket)
        socket.once('close', () => open.delete(socket)).resume()
        socket.write(
          `POST ${pathname} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n${more.join('')}` +
            'content-length: 1000000\r\n\r\n{',
        )
      }
      return open
    },
    async post(client: string, headers = {}, body = JSON.stringify({query: '*[0]._id'})) {
      const options = {method: 'POST', headers: {'content-type': 'application/json', ...headers}, body}
      return askFrom(client, `${version}/data/query/production`, options)
    },
    get: (client: string) => askFrom(client, version + queryPath('*[0]._id')),
  }
}

/** Waits until only so many connections are left. */
const left = (open: Set<Socket>, count: number) =>
  eventually(
    async () => open.size,
    (size) => size === count,
  )

test('a stranger can post 8 MiB concurrently; another stranger has its own 8 MiB, and an editor too', async (t) => {
  const {stall, post, get} = await start(t)
  const stalled = await stall(ATTACKER, 12)
  await left(stalled, 8)
  const refused = await post(ATTACKER, {'content-length': 1_000_000})
  deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])

  const large = await post(NEIGHBOUR, {'content-length': 2 ** 20 + 1}, '')
  equal(large.status, 413, 'refused before a byte of the body is sent')
  for (let posted = 0; posted < 20; posted++) {
    const {status, body} = await post(NEIGHBOUR)
    deepEqual([status, JSON.parse(body).result], [200, 'a'])
  }
  equal((await post(ATTACKER)).status, 200, 'small bodies are not counted')
  equal((await post(ATTACKER, known, LARGE)).status, 200)
  equal((await get(ATTACKER)).status, 200, 'GET queries have no body and are not limited')

  for (const socket of stalled) socket.destroy()
  await eventually(
    async () => (await post(ATTACKER, {}, LARGE)).status,
    (status) => status === 200,
  )
})

test('all strangers can post 32 MiB concurrently; requests without a body and an editor’s posts still work', async (t) => {
  const {stall, post, get} = await start(t)
  const stalled: Set<Socket>[] = []
  for (let client = 1; client <= 5; client++) stalled.push(await stall(`127.0.2.${client}`, 8))
  await eventually(
    async () => (await post(NEIGHBOUR, {}, LARGE)).status,
    (status) => status === 429,
  )
  await eventually(
    async () => stalled.reduce((sum, {size}) => sum + size, 0),
    (count) => count === 33,
  )
  equal((await get(NEIGHBOUR)).status, 200)
  equal((await post(NEIGHBOUR, known, LARGE)).status, 200)
  for (const sockets of stalled) for (const socket of sockets) socket.destroy()
})

test('an editor’s bodies are limited by account: 16 MiB concurrently over all addresses', async (t) => {
  const {stall, post} = await start(t)
  const open: Set<Socket>[] = []
  for (const client of ['127.0.2.1', '127.0.2.2', '127.0.2.3']) open.push(await stall(client, 6, known))
  await eventually(
    async () => open.reduce((sum, {size}) => sum + size, 0),
    (count) => count === 16,
  )
  equal((await post(NEIGHBOUR, known, LARGE)).status, 429)
  equal((await post(NEIGHBOUR, {}, LARGE)).status, 200, 'strangers have a separate limit')
  for (const sockets of open) for (const socket of sockets) socket.destroy()
})
