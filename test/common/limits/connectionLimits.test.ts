import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer, type RequestListener} from 'node:http'
import type {Socket} from 'node:net'
import {type TestContext, test} from 'node:test'
import {promisify} from 'node:util'
import {type ConnectionLimits, limitConnections} from '../../../common/limits/connectionLimits.ts'
import {askFrom, connectFrom} from '../../support/client.ts'
import {eventually} from '../../support/eventually.ts'
import {listen} from '../../support/network/ports.ts'

const ATTACKER = '127.0.0.2'
const NEIGHBOUR = '127.0.0.3'
const REQUEST = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'

async function limitedServer(t: TestContext, limits: Partial<ConnectionLimits>, listener: RequestListener) {
  const server = createServer(listener)
  limitConnections(server, {maxConnections: 100, trustedProxies: [], ...limits})
  const closed = once(server, 'close')
  const port = await listen(server, t)
  // When it closes, it clears the interval of its checks, which a test mocks.
  t.after(() => closed)
  const url = `http://127.0.0.1:${port}`
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

/** More than the system accepts for a client that does not read. */
const BODY = Buffer.alloc(16 * 2 ** 20)

/** Requests `BODY`, and waits until it begins to arrive. The client does not read it. */
async function connectWithoutReading(address: string, url: string): Promise<Socket> {
  const socket = await connectFrom(address, url)
  socket.write(REQUEST)
  await once(socket, 'readable')
  return socket
}

test('a client that reads nothing of a response is disconnected, one that reads several in a row is not', async (t) => {
  t.mock.timers.enable({apis: ['setInterval']})
  const served = new Map<string, Socket>()
  const {url, connections} = await limitedServer(t, {checkReadersEvery: 1_000}, ({socket}, response) => {
    served.set(socket.remoteAddress ?? '', socket)
    response.end(BODY)
  })
  const stranger = await connectWithoutReading(ATTACKER, url)
  const neighbour = await connectWithoutReading(NEIGHBOUR, url)
  let responses = 0
  await eventually(async () => {
    // The neighbour reads a response, but not the next one.
    responses += 1
    neighbour.write(REQUEST)
    while (neighbour.bytesRead < responses * BODY.length)
      if (neighbour.read() === null) await once(neighbour, 'readable')
    await eventually(() => {
      const {bytesWritten = 0, writableLength = 0} = served.get(NEIGHBOUR) ?? {}
      return writableLength > 0 && bytesWritten - writableLength > responses * BODY.length
    }, true)
    t.mock.timers.tick(1_000)
    return connections()
  }, 1)
  assert.equal(neighbour.destroyed, false)
  neighbour.destroy()
  // The end of the connection arrives once the client reads.
  stranger.resume()
  await once(stranger, 'close')
  assert.ok(stranger.bytesRead < BODY.length)
})

test('an event stream that is never read is closed, although the server keeps writing heartbeats to it', async (t) => {
  t.mock.timers.enable({apis: ['setInterval']})
  let heartbeat = () => {}
  const {url, connections} = await limitedServer(t, {checkReadersEvery: 1_000}, (_request, response) => {
    response.write(BODY)
    heartbeat = () => response.write(':\n\n')
  })
  const stalled = await connectWithoutReading(ATTACKER, url)
  t.after(() => stalled.destroy())
  await eventually(() => {
    heartbeat()
    t.mock.timers.tick(1_000)
    return connections()
  }, 0)
})

for (const [state, text] of [
  ['idle', REQUEST],
  ['unfinished', 'GET / HTTP/1.1\r\n'],
] as const)
  test(`${state} connections from twelve clients do not lock out others, if known clients are distinguished`, async (t) => {
    const known = new WeakSet<Socket>()
    const isKnown = (socket: Socket) => known.has(socket)
    const {url, open, connections} = await limitedServer(t, {isKnown}, (request, response) => {
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
  const {url} = await limitedServer(t, {}, (_request, response) => response.end())
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
