import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {type TestContext, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {eventually} from '../../support/eventually.ts'
import {runHouse} from '../../support/house.ts'
import {type NginxOptions, type RunningNginx, startNginx} from '../../support/network/nginx.ts'
import {freePort} from '../../support/network/ports.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

/** Milliseconds after the lake's confirmation at which a config must no longer be used. */
const MINUTE = 60_000

async function nginxFor(t: TestContext, options: NginxOptions): Promise<RunningNginx> {
  const nginx = await startNginx(options)
  t.after(() => nginx.close())
  return nginx
}

/**
 * A service whose responses have the age in their path, in milliseconds. The body is the time of
 * confirmation.
 */
async function startService(t: TestContext): Promise<number> {
  const server = createServer(({url = ''}, answer) => {
    const age = Number(url.split('/').at(-1))
    answer.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'x-accel-expires': '0',
      age: String(Math.ceil(age / 1_000)),
    })
    answer.end(String(Date.now() - age))
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return port
}

/**
 * Requests responses of these ages for some seconds, and calculates as a browser does (RFC 9111 §4.2) until
 * when each may be used.
 * @returns the longest time after the confirmation, in milliseconds, and the number of hits in nginx's cache.
 */
async function useOf(nginx: RunningNginx, ages: number[], seconds: number) {
  const latest = new Map(ages.map((age) => [age, 0]))
  const end = Date.now() + seconds * 1_000
  while (Date.now() < end) {
    // Each three times, because nginx keeps what it was asked for twice in a second.
    for (const age of ages.flatMap((one) => [one, one, one])) {
      const asked = Date.now()
      const {headers, body} = await nginx.get(`/api/${age}`)
      const [, lifetime] = headers['cache-control']?.match(/^public, max-age=(\d+)$/) ?? []
      assert.ok(lifetime)
      const fresh = Math.max(0, Number(lifetime) - Number(headers.age))
      const used = asked + fresh * 1_000 - Number(body.toString())
      latest.set(age, Math.max(latest.get(age) ?? 0, used))
    }
    await setTimeout(20) // a visitor at a time, for the whole minute
  }
  const hits = (await nginx.accesses()).filter(({cache}) => cache === 'HIT').map(({uri}) => uri)
  return ages.map((age) => ({
    age,
    latest: latest.get(age) ?? 0,
    hits: hits.filter((uri) => uri.endsWith(`/${age}`)).length,
  }))
}

test('no response is used for more than a minute, counting nginx and the browser behind it', async (t) => {
  const nginx = await nginxFor(t, {services: [await startService(t)]})
  const young = [0, 1, 999, 1_001, 30_500, 48_999]
  const old = [49_001, 50_000, 58_000, 59_500]
  const uses = await useOf(nginx, [...young, ...old], 6)
  for (const {age, latest, hits} of uses) {
    assert.ok(latest <= MINUTE, `confirmed ${age} ms before, used until ${latest} ms`)
    if (young.includes(age)) assert.ok(hits > 0, `${age}: nginx caches a recent response`)
    else assert.equal(hits, 0, `${age}: nginx does not cache an old response`)
  }
})

test('an nginx that follows Cache-Control caches no config, and adds no minute', async (t) => {
  const house = await runHouse(t, [siteDocument(), toolDocument()])
  const nginx = await nginxFor(t, {
    services: [Number(new URL(house.serviceAddress).port)],
    changes: {
      'proxy_cache_valid 200 1s;': '',
      'proxy_ignore_headers Cache-Control Expires X-Accel-Expires;': '',
      'proxy_no_cache $handrail_old $handrail_no_store $http_authorization;': '',
      'proxy_cache_min_uses 2;': '',
    },
  })
  for (let i = 0; i < 5; i++) {
    const {status, headers} = await nginx.get('/api/sites/shop-public/config?path=/')
    assert.equal(status, 200)
    assert.equal(headers['x-accel-expires'], undefined)
  }
  const {fault} = house.network
  house.network.fault = {kind: 'hang'}
  house.pass(55)
  const {headers} = await nginx.get('/api/sites/shop-public/config?path=/')
  assert.ok(Number(headers.age) >= 55)
  house.network.fault = fault
  const configs = (await nginx.accesses()).filter(({uri}) => uri.includes('/config'))
  assert.deepEqual([...new Set(configs.map(({cache}) => cache))], ['MISS'])
})

test('a publish shows through the cache, and an older response is passed on with its Age', async (t) => {
  const house = await runHouse(t, [siteDocument(), toolDocument()], {}, {query: 3_000})
  const nginx = await nginxFor(t, {services: [Number(new URL(house.serviceAddress).port)]})
  const ask = () => nginx.get('/api/sites/shop-public/config?path=/')
  for (let i = 0; i < 5; i++) assert.equal((await ask()).status, 200)
  await house.repository.commit([toolDocument({description: 'Changed.'})])
  await eventually(ask, ({body}) => body.includes('Changed.'))

  house.network.fault = {kind: 'hang'}
  house.pass(55)
  const old = await eventually(ask, ({headers}) => Number(headers.age) >= 55)
  assert.equal(old.headers['cache-control'], 'public, max-age=58')
  house.network.fault = {kind: 'none'}
  await eventually(ask, ({headers}) => Number(headers.age) < 10)
})
