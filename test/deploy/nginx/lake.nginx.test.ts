import assert from 'node:assert/strict'
import {Agent} from 'node:https'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {WebSocket} from 'ws'
import {MAX_DOCUMENT_BYTES} from '../../../content/parseDocument.ts'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {token} from '../../lake/support/app.ts'
import {temporaryFolder} from '../../lake/support/git.ts'
import {runLake} from '../../lake/support/lake.ts'
import {accountsIn} from '../../lake/support/signIn.ts'
import {startNginx} from '../../support/network/nginx.ts'
import {freePort} from '../../support/network/ports.ts'

/** A lake behind its nginx example. */
async function startBehindNginx(t: TestContext) {
  const port = await freePort()
  const nginx = await startNginx({services: [], lake: port})
  t.after(() => nginx.close())
  const lake = await runLake(
    t,
    {},
    {
      port,
      origin: nginx.address,
      trustedProxies: ['loopback'],
      studioDir: join(await temporaryFolder(t), 'studio'),
    },
  )
  const agent = new Agent({ca: nginx.certificate})
  t.after(() => agent.destroy())
  return {nginx, lake, agent}
}

test('editors sign in behind nginx with the address of the browser, and their streams get through', async (t) => {
  const {nginx, lake, agent} = await startBehindNginx(t)
  const password = 'correct horse battery'
  await accountsIn(lake.stateFolder).addEditor(
    {name: 'Ada', email: 'ada@example.com', rights: everywhere('publisher')},
    password,
  )
  const signedIn = await nginx.send('/login', {
    method: 'POST',
    headers: {origin: nginx.address, 'content-type': 'application/x-www-form-urlencoded'},
    body: String(new URLSearchParams({email: 'ada@example.com', password, to: '/'})),
  })
  assert.equal(signedIn.status, 303, signedIn.body.toString())
  const [cookie = ''] = (signedIn.headers['set-cookie'] ?? []).map((one) => one.split(';')[0])
  assert.match(String(signedIn.headers['set-cookie']), /; Secure/)

  const socket = new WebSocket(`${nginx.address.replace('https', 'wss')}/_streams`, {
    agent,
    headers: {cookie, origin: nginx.address},
  })
  t.after(() => socket.terminate())
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  assert.deepEqual(lake.warnings, [])
})

test('a document of the greatest size passes nginx; metrics and health do not', async (t) => {
  const {nginx} = await startBehindNginx(t)
  const document = {_id: 'a', _type: 'post', text: 'x'.repeat(MAX_DOCUMENT_BYTES - 1_000)}
  const written = await nginx.send('/v2025-02-19/data/mutate/production', {
    method: 'POST',
    headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
    body: JSON.stringify({mutations: [{create: document}]}),
  })
  assert.equal(written.status, 200, written.body.toString())
  for (const path of ['/metrics', '/readyz', '/healthz', '/%6detrics', '/metrics/', '/metrics?x'])
    assert.equal((await nginx.get(path)).status, 404, path)
})
