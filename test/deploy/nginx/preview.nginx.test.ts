import assert from 'node:assert/strict'
import {Agent} from 'node:https'
import {test} from 'node:test'
import {codeFor, exchange, PAGE, runPreviewHouse} from '../../service/preview/support.ts'
import {recordOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {metricsOf} from '../../support/metrics.ts'
import {startNginx} from '../../support/network/nginx.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const PREVIEW = '/api/sites/shop-public/preview'

test('a preview works on either of two replicas, and the proxy keeps and logs nothing of it', async (t) => {
  const house = await runPreviewHouse(t, [siteDocument(), toolDocument()], {TRUSTED_PROXIES: '127.0.0.1'})
  const other = await house.replica()
  await house.client.createOrReplace({...toolDocument(), _id: 'drafts.search', executeJs: 'return "draft"'})
  const replicas = [house.serviceAddress, other.serviceAddress]
  const nginx = await startNginx({services: replicas.map((address) => Number(new URL(address).port))})
  t.after(() => nginx.close())
  const agent = new Agent({ca: nginx.certificate, keepAlive: true})
  t.after(() => agent.destroy())

  const code = await codeFor(house)
  const body = JSON.stringify({code})
  const sent = {origin: PAGE, 'content-type': 'application/json', 'content-length': String(body.length)}
  const started = await nginx.send(PREVIEW, {method: 'POST', headers: sent, body}, agent)
  assert.equal(started.status, 200, started.body.toString())
  const {token} = recordOf(JSON.parse(started.body.toString()))
  const headers = {origin: PAGE, authorization: `Bearer ${token}`}
  const read = (path = '/') => nginx.get(`${PREVIEW}?path=${path}`, headers, agent)

  // nginx alternates between the replicas. The tickets of scripts, and with them the tags, change every five minutes.
  house.pass(Math.ceil((300_000 - (Date.now() % 300_000)) / 1_000))
  const tags = new Set<string>()
  for (let number = 0; number < 6; number++) {
    const {status, headers: received, body} = await read()
    assert.equal(status, 200)
    assert.match(body.toString(), /return \\"draft\\"/)
    assert.equal(received['cache-control'], 'no-store')
    assert.equal(received['referrer-policy'], 'no-referrer')
    tags.add(received.etag ?? '')
    const module = String(Object.values(recordOf(recordOf(JSON.parse(body.toString())).modules))[0])
    const script = await nginx.get(`/${module}`, {}, agent)
    assert.deepEqual([script.status, script.headers['cache-control']], [200, 'no-store'])
  }
  assert.equal(tags.size, 1, 'both replicas give the same tag')
  for (const address of replicas)
    assert.equal((await exchange({serviceAddress: address}, await codeFor(house))).status, 200)

  for (const address of replicas) {
    const {samples} = await metricsOf(address)
    const route = '/api/sites/:publicId/preview'
    assert.ok((samples.get(`handrail_http_requests_total{route="${route}",status="200"}`) ?? 0) > 1, address)
  }
  const withoutToken = await nginx.get(`${PREVIEW}?path=/`, {origin: PAGE}, agent)
  assert.equal(withoutToken.status, 401)
  await house.client.delete({query: '*[_type == "sanity.previewUrlSecret"]'})
  await eventually(read, ({status}) => status === 401)
  await eventually(read, ({status}) => status === 401)
  const config = await nginx.get('/api/sites/shop-public/config?path=/', {}, agent)
  assert.doesNotMatch(config.body.toString(), /draft/)
  const logged = (await nginx.accesses()).map(({uri}) => uri)
  assert.deepEqual(
    logged.filter((uri) => uri.includes('preview')),
    [],
  )
  assert.ok(logged.some((uri) => uri.includes('config')))
})

test('other spellings of the address of drafts are not cached either', async (t) => {
  const house = await runPreviewHouse(t, [siteDocument(), toolDocument()], {TRUSTED_PROXIES: '127.0.0.1'})
  await house.client.createOrReplace({...toolDocument(), _id: 'drafts.search', executeJs: 'return "draft"'})
  const nginx = await startNginx({services: [Number(new URL(house.serviceAddress).port)]})
  t.after(() => nginx.close())
  const started = await exchange(house, await codeFor(house))
  const {token} = recordOf(await started.json())
  const spellings = [
    ...[
      PREVIEW,
      '/api/sites/shop-public/%70review',
      '/api//sites/shop-public/preview',
      '/api/x/../sites/shop-public/preview',
    ],
    ...[
      '/api/sites/shop-public/preview/',
      '/API/sites/shop-public/preview',
      '/api/sites/shop-public/x%2f..%2fpreview',
    ],
    '/api/sites/shop%2Dpublic/preview',
  ]
  for (const spelling of spellings) {
    for (let number = 0; number < 3; number++)
      await nginx.get(`${spelling}?path=/`, {origin: PAGE, authorization: `Bearer ${token}`})
    const {status, body} = await nginx.get(`${spelling}?path=/`, {origin: PAGE})
    assert.ok(status === 401 || status === 404, `${spelling}: ${status}`)
    assert.doesNotMatch(body.toString(), /draft"/)
  }
})
