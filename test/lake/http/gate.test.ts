import assert from 'node:assert/strict'
import {connect} from 'node:net'
import {text} from 'node:stream/consumers'
import {test} from 'node:test'
import Fastify from 'fastify'
import {State} from '../../../content/state/state.ts'
import {Access} from '../../../lake/access/access.ts'
import {gateRoutes} from '../../../lake/http/gate.ts'
import {PATIENCE} from '../../support/eventually.ts'
import {temporaryFolder} from '../support/git.ts'
import {runLake} from '../support/lake.ts'

/** Sends raw bytes and reads the response until the connection ends. */
async function sendRaw(address: string, request: string): Promise<string> {
  const {hostname, port} = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.write(request)
  return text(socket)
}

test('a route without an access level cannot be added', (t) => {
  const app = Fastify()
  t.after(() => app.close())
  gateRoutes(app, new Access({state: State.inMemory()}))
  assert.throws(
    () => app.get('/forgotten', () => 'open by mistake'),
    /\/forgotten does not declare who may use it/,
  )
})

test('a 4 MB form is rejected unread and does not delay others', async (t) => {
  const {address} = await runLake(t, {})
  const form = {'content-type': 'application/x-www-form-urlencoded'}
  const body = 'a&'.repeat(2_000_000)
  const post = (path: string) => fetch(address + path, {method: 'POST', headers: form, body})
  const refused = post('/v1/data/mutate/production').then(({status}) => status)
  const healthy = fetch(`${address}/healthz`, {signal: AbortSignal.timeout(PATIENCE * 1_000)})
  assert.equal((await healthy).status, 200)
  assert.equal(await refused, 401)
  assert.equal((await post('/v1/auth/logout')).status, 403)
  assert.equal((await post('/nowhere')).status, 404)
})

test('only the sign-in route parses forms', async (t) => {
  const {address} = await runLake(t, {}, {apiTokens: ['secret']})
  const headers = {authorization: 'Bearer secret', 'content-type': 'application/x-www-form-urlencoded'}
  for (const path of [
    '/v1/data/mutate/production',
    '/v1/data/actions/production',
    '/v1/data/query/production',
  ]) {
    const response = await fetch(address + path, {method: 'POST', headers, body: 'a=b'})
    assert.equal(response.status, 415, path)
  }
})

test('a rejected upgrade closes its connection', {timeout: PATIENCE * 1_000}, async (t) => {
  const {address} = await runLake(t, {}, {studioDir: await temporaryFolder(t)})
  for (const path of ['/v1/socket/production', '/_streams', '/healthz', '/nowhere']) {
    const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n'
    const upgrade = `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n${key}\r\n`
    assert.match(await sendRaw(address, upgrade), /^HTTP\/1\.1 (200|401|404) /, path)
  }
})

test('every response of a lake with an https LAKE_ORIGIN asks browsers for TLS', async (t) => {
  const {address} = await runLake(t, {}, {origin: 'https://lake.example'})
  for (const path of ['/healthz', '/login', '/nowhere', '/v1/users/me'])
    assert.equal(
      (await fetch(address + path)).headers.get('strict-transport-security'),
      'max-age=31536000',
      path,
    )
  const local = await runLake(t)
  assert.equal((await fetch(`${local.address}/login`)).headers.get('strict-transport-security'), null)
})
