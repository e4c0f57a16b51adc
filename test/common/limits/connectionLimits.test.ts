import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer, type RequestListener} from 'node:http'
import type {Socket} from 'node:net'
import {type TestContext, test} from 'node:test'
import {promisify} from 'node:util'
import {type ConnectionLimits, limitConnections} from '../../../common/limits/connectionLimits.ts'
import {askFrom, connectFrom} from '../../support/client.ts'
import {eventually} from '../../support/eventually.ts'

const ATTACKER = '127.0.0.2'
const NEIGHBOUR = '127.0.0.3'
const REQUEST = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'

async function listen(t: TestContext, limits: Partial<ConnectionLimits>, listener: RequestListener) {
  const server = createServer(listener)
  limitConnections(server, {maxConnections: 100, trustedProxies: [], ...limits})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const open = async (client: string, count: number, text: string) => {
    const sockets: Socket[] = []
    for (let opened = 0; opened < count; opened++) {
      const socket = await connectFrom(client, url)
      t.after(() => socket.destroy())
      socket.resume().write(text)
      sockets.push(socket)
    }
    return sockets
  }
  return {url, open, connections: promisify(server.getConnections.bind(server))}
}

test('a client that reads nothing of a response is disconnected, one that reads several in a row is not', async (t) => {
  const body = Buffer.alloc(16 * 2 ** 20)
  const {url, connections} = await listen(t, {checkReadersEvery: 500}, (_request, response) =>
    response.end(body),
  )
  const stranger = await connectFrom(ATTACKER, url)
  const neighbour = await connectFrom(NEIGHBOUR, url)
  stranger.write(REQUEST)
  neighbour.resume()
  const asking = setInterval(() => neighbour.write(REQUEST), 100)
  await eventually(connections, 1)
  clearInterval(asking)
  assert.equal(neighbour.destroyed, false)
  neighbour.destroy()
  // The end of the connection arrives once the client reads.
  stranger.resume()
  await once(stranger, 'close')
  assert.ok(stranger.bytesRead < body.length)
})

test('an event stream that is never read is closed, although the server keeps writing heartbeats to it', async (t) => {
  const {url, connections} = await listen(t, {checkReadersEvery: 200}, (_request, response) => {
    response.write(Buffer.alloc(16 * 2 ** 20))
    const heartbeat = setInterval(() => response.write(':\n\n'), 20)
    response.once('close', () => clearInterval(heartbeat))
  })
  const stalled = await connectFrom(ATTACKER, url)
  t.after(() => stalled.destroy())
  stalled.write(REQUEST)
  await eventually(connections, 1)
  await eventually(connections, 0)
})

for (const [state, text] of [
  ['idle', REQUEST],
  ['unfinished', 'GET / HTTP/1.1\r\n'],
] as const)
  test(`${state} connections from twelve clients do not lock out others, if known clients are distinguished`, async (t) => {
    const known = new WeakSet<Socket>()
    const isKnown = (socket: Socket) => known.has(socket)
    const {url, open, connections} = await listen(t, {isKnown}, (request, response) => {
      if (request.headers.authorization !== undefined) known.add(request.socket)
      response.end('ok')
    })
    const authenticated = 'GET / HTTP/1.1\r\nhost: localhost\r\nauthorization: yes\r\n\r\n'
    const [editor] = await open(NEIGHBOUR, 1, authenticated)
    for (let client = 1; client <= 12; client++) await open(`127.0.1.${client}`, 10, text)
    for (let asked = 0; asked < 20; asked++) assert.equal((await askFrom(NEIGHBOUR, url)).status, 200)
    assert.ok((await connections()) <= 100)
    assert.equal(editor?.destroyed, false, 'a known client keeps its connection')
    editor?.write(authenticated)
    await eventually(
      async () => editor?.bytesRead ?? 0,
      (bytes) => bytes > 200,
    )
  })

test('IPv6 clients share the connections of their /64 network', async (t) => {
  const {url} = await listen(t, {}, (_request, response) => response.end())
  const refused: string[] = []
  // No IPv6 network is available to connect from: the connections only claim their addresses.
  const server = createServer()
  limitConnections(server, {
    maxConnections: 20,
    trustedProxies: [],
    onRefused: (limit, address) => refused.push(`${limit} ${address}`),
  })
  for (const host of ['1', '2', '3']) {
    const socket = await connectFrom(ATTACKER, url)
    t.after(() => socket.destroy())
    Object.defineProperty(socket, 'remoteAddress', {value: `2001:db8::${host}`})
    server.emit('connection', socket)
  }
  server.emit('close')
  assert.deepEqual(refused, ['client 2001:db8::3'])
})
