import assert from 'node:assert/strict'
import {once} from 'node:events'
import {type TestContext, test} from 'node:test'
import {setImmediate} from 'node:timers/promises'
import Fastify, {type FastifyReply} from 'fastify'
import {State} from '../../../content/state/state.ts'
import {Access} from '../../../lake/access/access.ts'
import {gateRoutes} from '../../../lake/http/gate.ts'
import {UnsentBytes} from '../../../lake/http/limits/unsentBytes.ts'
import {relayStreams} from '../../../lake/studio/relay.ts'
import {socketRoutes} from '../../../lake/studio/sockets.ts'
import {openSocket, type TestSocket} from './socket.ts'

const stream = '/v1/data/listen/production?query=*'
const token = 'a-token-for-tests'

/** A tunnel to a route whose response a test controls. */
async function relay(
  t: TestContext,
  respond: (reply: FastifyReply) => void,
): Promise<TestSocket & {unsent: UnsentBytes}> {
  const app = Fastify()
  const access = new Access({state: State.inMemory(), apiTokens: [token]})
  const unsent = new UnsentBytes()
  gateRoutes(app, access)
  app.get('/v1/data/listen/production', {config: {access: 'open'}}, (_request, reply) => respond(reply))
  app.register((scope) =>
    socketRoutes(scope, {access, unsent}, [
      {path: '/_streams', connect: (socket) => relayStreams(scope, socket)},
    ]),
  )
  const origin = await app.listen({host: '127.0.0.1', port: 0})
  t.after(() => app.close())
  const headers = {origin, authorization: `Bearer ${token}`}
  return {...(await openSocket(t, `${origin.replace('http', 'ws')}/_streams`, headers)), unsent}
}

test('a browser that does not read loses its socket and all streams before 24 MB wait for it', async (t) => {
  const chunk = 'x'.repeat(64 * 1024)
  let closed = 0
  const {socket, say, hear, unsent} = await relay(t, async (reply) => {
    reply.hijack()
    reply.raw.writeHead(200)
    reply.raw.once('close', () => closed++)
    while (!reply.raw.destroyed) {
      reply.raw.write(chunk)
      await setImmediate()
    }
  })
  for (let id = 1; id <= 3; id++) say({id, open: stream, headers: {}})
  await hear((frame) => frame.status === 200)
  socket.pause()
  let most = 0
  while (closed < 3) {
    most = Math.max(most, unsent.total)
    await setImmediate()
  }
  assert.ok(most > 2 ** 20 && most < 24 * 2 ** 20, `${most} bytes waited`)
  socket.resume()
  await once(socket, 'close')
  assert.equal(unsent.total, 0)
})

test('a response that breaks off or never starts ends the stream', async (t) => {
  const {say, hear} = await relay(t, (reply) => {
    reply.hijack()
    reply.raw.writeHead(200, {'content-type': 'text/plain'})
    reply.raw.write('one', () => reply.raw.destroy())
  })
  say({id: 1, open: stream, headers: {}})
  assert.deepEqual(await hear(() => true), {id: 1, status: 200, type: 'text/plain'})
  assert.deepEqual(await hear(() => true), {id: 1, data: 'one'})
  assert.deepEqual(await hear(() => true), {id: 1, end: true})

  const mute = await relay(t, (reply) => reply.hijack().raw.destroy())
  mute.say({id: 1, open: stream, headers: {}})
  assert.deepEqual(await mute.hear(() => true), {id: 1, end: true})
})

test('an error thrown by a handler becomes the status of its stream', async (t) => {
  const {say, hear} = await relay(t, () => {
    throw Object.assign(new Error('Not today'), {statusCode: 403})
  })
  say({id: 1, open: stream, headers: {}})
  assert.equal((await hear(() => true)).status, 403)
  assert.match(String((await hear(() => true)).data), /Not today/)
  assert.deepEqual(await hear(() => true), {id: 1, end: true})
})

test('closing a socket aborts its requests', async (t) => {
  const gone = Promise.withResolvers<void>()
  const {socket, say, hear} = await relay(t, (reply) => {
    reply.hijack()
    reply.raw.writeHead(200)
    reply.raw.once('close', gone.resolve)
  })
  say({id: 1, open: stream, headers: {}})
  await hear((frame) => frame.status === 200)
  socket.close()
  await gone.promise
})
