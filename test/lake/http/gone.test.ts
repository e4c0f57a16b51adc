import {equal} from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {promisify} from 'node:util'
import type {FastifyRequest} from 'fastify'
import {State} from '../../../content/state/state.ts'
import {Access} from '../../../lake/access/access.ts'
import type {Principal} from '../../../lake/access/principal.ts'
import {buildApp} from '../../../lake/http/app.ts'
import {connectFrom} from '../../support/client.ts'
import {eventually} from '../../support/eventually.ts'
import {token} from '../support/app.ts'
import {environment, storeOf} from '../support/documents.ts'
import {openMany} from '../support/events.ts'
import {recordingLogger} from '../support/log.ts'

const live = '/v2025-02-19/data/live/events/production'

/** Delays authentication as long as a test likes, like reading the credentials file from a busy disk. */
class LateAccess extends Access {
  waiting = 0
  until: Promise<void> = Promise.resolve()

  override async principalOf(request: FastifyRequest): Promise<Principal | undefined> {
    this.waiting += 1
    await this.until
    return super.principalOf(request)
  }
}

async function lateLake(t: TestContext) {
  const access = new LateAccess({
    state: State.inMemory(),
    apiTokens: [token],
  })
  const store = storeOf({_id: 'a', _type: 'post'})
  const {app} = await buildApp({store, environment, access}, recordingLogger().logger)
  const address = await app.listen({host: '127.0.0.1', port: 0})
  t.after(() => app.close())
  return {access, address, connections: promisify(app.server.getConnections.bind(app.server))}
}

test('a client that disconnects during authentication leaves no stream and no count behind', async (t) => {
  const {access, address, connections} = await lateLake(t)
  const {promise, resolve: know} = Promise.withResolvers<void>()
  access.until = promise
  const leaving = await Promise.all(Array.from({length: 100}, () => connectFrom('127.0.0.2', address)))
  for (const socket of leaving)
    socket.write(`GET ${live} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`)
  await eventually(() => access.waiting, leaving.length)
  for (const socket of leaving) socket.resetAndDestroy()
  await eventually(connections, 0)
  know()

  const headers = {authorization: `Bearer ${token}`}
  equal(await openMany(256, t, '127.0.0.1', address + live, headers), 256)
})
