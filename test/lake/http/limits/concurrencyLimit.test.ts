import assert from 'node:assert/strict'
import {test} from 'node:test'
import {promisify} from 'node:util'
import fastify from 'fastify'
import {clientKey} from '../../../../common/limits/clientKey.ts'
import {concurrencyLimit} from '../../../../lake/http/limits/concurrencyLimit.ts'
import {askFrom, connectFrom} from '../../../support/client.ts'
import {eventually} from '../../../support/eventually.ts'

test('a client that disconnects while limits are looked up takes no concurrency slot', async (t) => {
  const admit = concurrencyLimit({
    perClient: 2,
    total: 2,
    clientOf: (request) => clientKey(request.ip),
    refuse: () => new Error('too many'),
  })
  const {promise: counted, resolve: count} = Promise.withResolvers<void>()
  let waiting = 0
  const app = fastify()
  app.post('/', {
    onRequest: [
      async () => {
        waiting++
        await counted
      },
      async (request, reply) => admit(request, reply),
    ],
    handler: async () => 'taken',
  })
  const url = await app.listen({host: '127.0.0.1', port: 0})
  t.after(() => app.close())

  const leaving = await Promise.all(Array.from({length: 2}, () => connectFrom('127.0.0.2', url)))
  for (const socket of leaving)
    socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n')
  await eventually(() => waiting, leaving.length)
  for (const socket of leaving) socket.resetAndDestroy()
  await eventually(promisify(app.server.getConnections.bind(app.server)), 0)
  count()
  assert.equal((await askFrom('127.0.0.3', url, {method: 'POST'})).status, 200)
})

test('a client and all clients together have as many requests in progress as allowed', async (t) => {
  const admit = concurrencyLimit({
    perClient: 2,
    total: 3,
    clientOf: (request) => clientKey(request.ip),
    refuse: () => new TooMany(),
  })
  const ending = Promise.withResolvers<void>()
  let inProgress = 0
  const app = fastify()
  app.get('/', async (request, reply) => {
    admit(request, reply)
    inProgress += 1
    await ending.promise
    return 'done'
  })
  const url = await app.listen({host: '127.0.0.1', port: 0})
  t.after(() => app.close())
  const admitted = ['127.0.0.2', '127.0.0.2', '127.0.0.3'].map((address) => askFrom(address, url))
  await eventually(() => inProgress, admitted.length)
  assert.equal((await askFrom('127.0.0.2', url)).status, 429, 'a third request of one client')
  assert.equal((await askFrom('127.0.0.4', url)).status, 429, 'a fourth request in all')
  ending.resolve()
  for (const {status} of await Promise.all(admitted)) assert.equal(status, 200)
})

class TooMany extends Error {
  readonly statusCode = 429
}
