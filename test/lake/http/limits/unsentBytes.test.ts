import assert from 'node:assert/strict'
import {once} from 'node:events'
import {connect, createServer, type Socket} from 'node:net'
import {type TestContext, test} from 'node:test'
import {UnsentBytes} from '../../../../lake/http/limits/unsentBytes.ts'
import {eventually} from '../../../support/eventually.ts'
import {listen} from '../../../support/network/ports.ts'
import {queryPath, serve, token} from '../../support/app.ts'
import {storeOf} from '../../support/documents.ts'

/** Server-side sockets of so many connections. */
async function connections(t: TestContext, count: number): Promise<Socket[]> {
  const server = createServer()
  const port = await listen(server, t)
  const ends: Socket[] = []
  for (let opened = 0; opened < count; opened++) {
    const accepted = once(server, 'connection')
    const client = connect(port, '127.0.0.1')
    client.on('error', () => {})
    const [end]: Socket[] = await accepted
    if (end === undefined) throw new Error('no connection was accepted')
    t.after(() => {
      client.destroy()
      end.destroy()
    })
    ends.push(end)
  }
  return ends
}

const states = (sockets: readonly Socket[]) => sockets.map((socket) => (socket.destroyed ? 'closed' : 'open'))

test('a client over its share loses the connection that has been stalled longest; others lose none', async (t) => {
  const unsent = new UnsentBytes({total: 1_000, perClient: 300})
  const [first, second, third, other] = await connections(t, 4)
  assert.ok(first && second && third && other)
  unsent.hold(other, 'b', 300)
  const release = unsent.hold(first, 'a', 100)
  unsent.hold(first, 'a', 10)
  unsent.hold(second, 'a', 100)
  // The first one reads, so the second one is now the slowest.
  release()
  release()
  unsent.hold(third, 'a', 150)
  assert.deepEqual(states([first, second, third, other]), ['open', 'open', 'open', 'open'])
  unsent.hold(third, 'a', 100)
  assert.deepEqual(states([first, second, third, other]), ['open', 'closed', 'open', 'open'])
  assert.equal(unsent.total, 300 + 10 + 250)
})

test('over the total limit, the slowest of all clients is closed', async (t) => {
  const unsent = new UnsentBytes({total: 500, perClient: 300})
  const sockets = await connections(t, 3)
  for (const [number, socket] of sockets.entries()) unsent.hold(socket, `client ${number}`, 250)
  assert.deepEqual(states(sockets), ['closed', 'open', 'open'])
  assert.equal(unsent.total, 500)
})

test('a response larger than the share is sent; a second one on the same connection closes it', async (t) => {
  const unsent = new UnsentBytes({total: 1_000, perClient: 300})
  const [socket] = await connections(t, 1)
  assert.ok(socket)
  unsent.hold(socket, 'a', 400)
  assert.equal(socket.destroyed, false)
  unsent.hold(socket, 'a', 1)
  assert.equal(socket.destroyed, true)
  assert.equal(unsent.total, 0)
})

test('a closed connection is no longer counted', async (t) => {
  const unsent = new UnsentBytes({total: 1_000, perClient: 300})
  const [socket] = await connections(t, 1)
  assert.ok(socket)
  const release = unsent.hold(socket, 'a', 100)
  socket.destroy()
  await once(socket, 'close')
  assert.equal(unsent.total, 0)
  release()
  unsent.hold(socket, 'a', 100)
  assert.equal(unsent.total, 0)
})

test('the lake counts each response until its client has read it', async (t) => {
  const size = 16 * 2 ** 20
  const {address, unsent} = await serve(t, storeOf({_id: 'large', _type: 'post', text: 'x'.repeat(size)}))
  const {hostname, port} = new URL(address)
  const client = connect(Number(port), hostname).pause()
  t.after(() => client.destroy())
  client.write(
    `GET /v1${queryPath('*[0].text')} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`,
  )
  await eventually(
    () => unsent.total,
    (total) => total > size,
  )
  client.resume()
  await eventually(() => unsent.total, 0)
})
