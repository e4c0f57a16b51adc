import {equal} from 'node:assert/strict'
import {test} from 'node:test'
import Fastify from 'fastify'
import {UnsentBytes} from '../../../lake/http/limits/unsentBytes.ts'
import {socketRoutes} from '../../../lake/studio/sockets.ts'
import {openSocket} from './socket.ts'

const ada = {id: 'ada', name: 'Ada', email: 'ada@example.com', rights: []}

// Without a lake: of its timers, those that run already must not be cleared as mocked ones.
test('a stopping lake sends close frames and does not wait for unresponsive clients', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  app.addHook('onRequest', async (request) => {
    request.principal = ada
  })
  const access = {stillReads: async () => true}
  await socketRoutes(app, {access, unsent: new UnsentBytes()}, [{path: '/_streams', connect: () => {}}])
  const origin = await app.listen({host: '127.0.0.1', port: 0})
  const open = () => openSocket(t, `${origin.replace('http', 'ws')}/_streams`, {origin})
  const {socket, closed} = await open()
  const deaf = await open()
  deaf.socket.pause()
  // ws itself waits for 30 s.
  t.mock.timers.enable({apis: ['setTimeout']})
  const closing = app.close()
  equal(await closed, 1001)
  t.mock.timers.tick(500)
  await closing
  equal(socket.readyState, socket.CLOSED)
})
