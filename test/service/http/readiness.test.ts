import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {recordOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, QUICK, runHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

async function houseFor(t: TestContext): Promise<House> {
  return runHouse(t, [siteDocument(), toolDocument(), toolDocument({_id: 'x', inputSchema: '{'})], {}, QUICK)
}

type Answer = {code: number; status: unknown; reasons: string; report: Record<string, unknown>}

async function readiness(address: string): Promise<Answer> {
  const response = await fetch(`${address}/readyz`)
  const report = recordOf(await response.json())
  return {code: response.status, status: report.status, reasons: String(report.reasons), report}
}

/** From now on nothing reaches the lake. */
function unplug({network}: House): void {
  network.fault = {kind: 'refuse'}
  network.liveFault = {kind: 'refuse'}
  network.cut()
}

function plugIn({network}: House): void {
  network.fault = {kind: 'none'}
  network.liveFault = {kind: 'none'}
}

test('/readyz of a healthy service reports the state of each part', async (t) => {
  const house = await houseFor(t)
  await house.config('shop-public')
  const {code, status, reasons, report} = await readiness(house.serviceAddress)
  assert.deepEqual([code, status, reasons], [200, 'ready', ''])
  const {oldestAgeSeconds, ...sites} = recordOf(report.sites)
  assert.ok(Number(oldestAgeSeconds) < 10)
  assert.deepEqual(sites, {
    cached: 1,
    fromSnapshot: 0,
    invalidDocuments: 1,
    failing: 0,
  })
  assert.equal(report.snapshots, 1)
})

test('a service with neither lake nor snapshot is not ready until the lake responds, even without requests', async (t) => {
  const house = await houseFor(t)
  unplug(house)
  const replica = await house.replica()
  const {code, status, reasons} = await readiness(replica.serviceAddress)
  assert.deepEqual([code, status], [503, 'unready'])
  assert.match(reasons, /not responded since the service started.*no last known good config/)
  assert.equal((await fetch(`${replica.serviceAddress}/healthz`)).status, 200, 'the process is running')

  plugIn(house)
  await eventually(async () => (await readiness(replica.serviceAddress)).status, 'ready')
})

test('operator endpoints are not cached, not readable by pages, and accept only GET and HEAD', async (t) => {
  const house = await houseFor(t)
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    const address = house.serviceAddress + path
    const {headers, status} = await fetch(address, {headers: {origin: 'https://any.example'}})
    assert.equal(status, 200, path)
    assert.equal(headers.get('cache-control'), 'no-store', path)
    assert.equal(headers.get('access-control-allow-origin'), null, path)
    assert.equal((await fetch(address, {method: 'HEAD'})).status, 200, path)
    assert.equal((await fetch(address, {method: 'POST'})).status, 405, path)
  }
})
