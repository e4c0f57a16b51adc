import assert from 'node:assert/strict'
import {once} from 'node:events'
import {type TestContext, test} from 'node:test'
import {runLake} from '../lake/support/lake.ts'
import {connectFrom} from '../support/client.ts'
import {runHouse} from '../support/house.ts'
import {siteDocument} from '../support/shop.ts'

// Requests that servers and proxies in front of them may read differently. Each row says which statuses come back over one
// connection: a body that is taken for a second request would show as one more.

const CLIENT = '127.0.0.4'
const HOST = 'host: localhost\r\n'
const CLOSE = 'connection: close\r\n'
const GET = `GET /healthz HTTP/1.1\r\n${HOST}`
const POST = `POST /nowhere HTTP/1.1\r\n${HOST}content-type: application/json\r\n`
const HIDDEN = `GET /healthz HTTP/1.1\r\n${HOST}\r\n`

const rows: [name: string, bytes: string, statuses: number[]][] = [
  ['a plain request', `${GET}${CLOSE}\r\n`, [200]],
  ['50 pipelined requests', `${`${GET}\r\n`.repeat(49)}${GET}${CLOSE}\r\n`, Array(50).fill(200)],
  ['two lengths that differ', `${POST}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `, [400]],
  [
    'a length and chunks',
    `${POST}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    [400],
  ],
  [
    'chunked that is not the last encoding',
    `${POST}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    [400],
  ],
  [
    'chunks with an extension',
    `${POST}${CLOSE}transfer-encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\n\r\n`,
    [404],
  ],
  [
    'chunks with a trailer',
    `${POST}${CLOSE}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nhost: evil\r\n\r\n`,
    [404],
  ],
  ['a chunk longer than its size', `${POST}transfer-encoding: chunked\r\n\r\n2\r\n{}{}\r\n0\r\n\r\n`, [400]],
  [
    'a request hidden in a body',
    `GET /healthz HTTP/1.1\r\n${HOST}${CLOSE}content-length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    [200],
  ],
  ['a carriage return alone in a header', `${GET}x: a\rhost: evil\r\n\r\n`, [400]],
  ['a zero byte in a header', `${GET}x: a\0b\r\n\r\n`, [400]],
  ['another host in the address', `GET http://evil.example/healthz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, [200]],
  ['an unknown method', `JUMP /healthz HTTP/1.1\r\n${HOST}\r\n`, [400]],
  ['CONNECT', `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${HOST}\r\n`, []],
  [
    'an upgrade to h2c',
    `${GET}connection: close, upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n\r\n`,
    [200],
  ],
  // It has no headers, and is read in one way.
  ['HTTP/0.9', 'GET /healthz\r\n\r\n', [200]],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
  ['bytes above ASCII in an address', `GET /\xff\xfe HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, [400]],
  ['headers that are too large', `${GET}x: ${'a'.repeat(40_000)}\r\n\r\n`, [431]],
]

/** Milliseconds in which the server must have closed a connection: every row ends it. */
const CLOSED_WITHIN = 20_000

/** Sends bytes and returns the statuses of all that comes back until the server closes the connection. */
async function statusesOf(address: string, bytes: string): Promise<number[]> {
  const socket = await connectFrom(CLIENT, address)
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk
  })
  socket.write(bytes, 'latin1')
  await once(socket, 'close', {signal: AbortSignal.timeout(CLOSED_WITHIN)})
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
  // A server that needs no body responds before it reads one. What matters is that a wrong body ends the connection.
  return String(statuses) === '404,400' ? [400] : statuses
}

for (const [name, start] of [
  ['lake', async (t: TestContext) => (await runLake(t)).address],
  ['service', async (t: TestContext) => (await runHouse(t, [siteDocument()])).serviceAddress],
] as const)
  test(`the ${name} rejects ambiguous requests or parses them in one way`, async (t) => {
    const address = await start(t)
    await Promise.all(
      rows.map(async ([name, bytes, statuses]) =>
        assert.deepEqual(await statusesOf(address, bytes), statuses, name),
      ),
    )
  })
