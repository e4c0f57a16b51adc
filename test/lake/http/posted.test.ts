import {deepEqual, equal, match} from 'node:assert/strict'
import type {Socket} from 'node:net'
import {type TestContext, test} from 'node:test'
import {gzipSync} from 'node:zlib'
import {askFrom, connectFrom} from '../../support/client.ts'
import {eventually} from '../../support/eventually.ts'
import {token} from '../support/app.ts'
import {runLake} from '../support/lake.ts'

const ATTACKER = '127.0.0.2'
const NEIGHBOUR = '127.0.0.3'
/** More than the size up to which bodies are not counted. */
const LARGE = JSON.stringify({query: '*[0]._id', params: {padding: 'x'.repeat(900_000)}})
const known = {authorization: `Bearer ${token}`}

/** Git hosts have no credentials: their signature is checked once the body has arrived. This one is wrong. */
const signed = {'x-hub-signature-256': `sha256=${'0'.repeat(64)}`}

async function start(t: TestContext) {
  const {address} = await runLake(
    t,
    {'post/a.json': {_id: 'a', _type: 'post'}},
    {gitWebhookSecrets: ['secret']},
  )
  const version = `${address}/v2025-02-19`
  const {pathname} = new URL(`${version}/data/query/production`)
  const json = {'content-type': 'application/json'}
  return {
    /** Starts to post so many bodies and never finishes them. Rejected ones are closed with a response. */
    async stall(
      client: string,
      count: number,
      headers: Record<string, string> = signed,
    ): Promise<Set<Socket>> {
      const path = headers === signed ? '/webhooks/git' : pathname
      const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const open = new Set<Socket>()
      for (let begun = 0; begun < count; begun++) {
        const socket = await connectFrom(client, address)
        t.after(() => socket.destroy())
        open.add(socket)
        socket.once('close', () => open.delete(socket)).resume()
        socket.write(
          `POST ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n${more.join('')}` +
            'content-length: 1000000\r\n\r\n{',
        )
      }
      return open
    },
    /** Posts a delivery. The status is 401 once the body was read. */
    deliver: (client: string, body = LARGE) =>
      askFrom(client, `${address}/webhooks/git`, {method: 'POST', headers: {...json, ...signed}, body}),
    post(client: string, headers = {}, body = LARGE) {
      const options = {method: 'POST', headers: {...json, ...known, ...headers}, body}
      return askFrom(client, `${version}/data/query/production`, options)
    },
  }
}

/** Waits until only so many connections are left. */
const left = (open: Set<Socket>, count: number) => eventually(() => open.size, count)

test('a stranger can post 8 MiB concurrently; another stranger has its own 8 MiB, and an editor too', async (t) => {
  const {stall, deliver, post} = await start(t)
  const stalled = await stall(ATTACKER, 12)
  await left(stalled, 8)
  const refused = await deliver(ATTACKER)
  deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])

  equal((await deliver(NEIGHBOUR)).status, 401)
  equal((await deliver(ATTACKER, '{}')).status, 401, 'small bodies are not counted')
  const {status, body} = await post(ATTACKER)
  deepEqual([status, JSON.parse(body).result], [200, 'a'])
  const large = await post(NEIGHBOUR, {'content-length': 2 ** 20 + 1}, '')
  equal(large.status, 413, 'refused before a byte of the body is sent')

  for (const socket of stalled) socket.destroy()
  await eventually(async () => (await deliver(ATTACKER)).status, 401)
})

test('all strangers can post 32 MiB concurrently; an editor’s posts still work', async (t) => {
  const {stall, deliver, post} = await start(t)
  const stalled: Set<Socket>[] = []
  for (let client = 1; client <= 5; client++) stalled.push(await stall(`127.0.2.${client}`, 8))
  await eventually(async () => (await deliver(NEIGHBOUR)).status, 429)
  await eventually(() => stalled.reduce((sum, {size}) => sum + size, 0), 33)
  equal((await post(NEIGHBOUR)).status, 200)
  for (const sockets of stalled) for (const socket of sockets) socket.destroy()
})

test('an editor’s bodies are limited by account: 16 MiB concurrently over all addresses', async (t) => {
  const {stall, deliver, post} = await start(t)
  const open: Set<Socket>[] = []
  for (const client of ['127.0.2.1', '127.0.2.2', '127.0.2.3']) open.push(await stall(client, 6, known))
  await eventually(() => open.reduce((sum, {size}) => sum + size, 0), 16)
  equal((await post(NEIGHBOUR)).status, 429)
  equal((await deliver(NEIGHBOUR)).status, 401, 'strangers have a separate limit')
  for (const sockets of open) for (const socket of sockets) socket.destroy()
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
