import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {askFrom, statusesFrom} from '../../support/client.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, QUICK, runHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const ATTACKER = '127.0.0.2'
const NEIGHBOUR = '127.0.0.3'
const SITES = 30

/** A tenth of it is 10. */
const RATE_LIMIT_MAX = '100'

const documents = [
  siteDocument(),
  toolDocument(),
  ...Array.from({length: SITES}, (_, number) =>
    siteDocument({_id: `site-${number}`, publicId: `site-${number}`}),
  ),
]

async function houseFor(t: TestContext, environment: NodeJS.ProcessEnv = {}): Promise<House> {
  return runHouse(t, documents, {RATE_LIMIT_MAX, ...environment}, QUICK)
}

const configOf = (house: House, publicId: string) => `${house.serviceAddress}/api/sites/${publicId}/config`

/** The statuses of requests for this many unknown public IDs. */
async function makeUp(house: House, address: string, count: number, prefix = 'made-up'): Promise<number[]> {
  const statuses: number[] = []
  for (let number = 0; number < count; number++)
    statuses.push((await askFrom(address, configOf(house, `${prefix}-${number}`))).status)
  return statuses
}

test('a client that makes up IDs is refused before the lake is queried; other clients are served and may miss', async (t) => {
  const house = await houseFor(t)
  house.network.queries.length = 0
  const refused = await makeUp(house, ATTACKER, 50)
  assert.deepEqual(refused, [...Array(10).fill(404), ...Array(40).fill(429)])
  // One that is in flight when the live events connect again is asked for twice.
  const asked = new Set(house.network.queries.map((url) => /made-up-\d+/.exec(url)?.[0]))
  assert.deepEqual(
    [...asked],
    Array.from({length: 10}, (_, number) => `made-up-${number}`),
  )

  assert.deepEqual(new Set(await statusesFrom(NEIGHBOUR, configOf(house, 'shop-public'), 50)), new Set([200]))
  for (let number = 0; number < SITES; number++)
    assert.equal(
      (await askFrom(NEIGHBOUR, configOf(house, `site-${number}`))).status,
      200,
      'never requested before',
    )
  assert.equal((await askFrom(NEIGHBOUR, configOf(house, 'mistyped'))).status, 404)

  const known = await statusesFrom(ATTACKER, configOf(house, 'shop-public'), 20)
  assert.deepEqual(new Set(known), new Set([200]), 'a known site is served to every client')
  const again = await askFrom(ATTACKER, configOf(house, 'made-up-3'))
  assert.equal(again.status, 404, 'an ID known to be unused gets 404')
})

test('known sites requested in turn, and deleted ones, do not count', async (t) => {
  const house = await houseFor(t)
  for (let number = 0; number < SITES; number++)
    assert.equal((await askFrom(ATTACKER, configOf(house, `site-${number}`))).status, 200)
  assert.deepEqual(new Set(await statusesFrom(ATTACKER, configOf(house, 'deleted'), 50)), new Set([404]))
  assert.deepEqual(await makeUp(house, ATTACKER, 9), Array(9).fill(404))
})

test('malformed IDs cost no query and do not count', async (t) => {
  const house = await houseFor(t)
  house.network.queries.length = 0
  for (let number = 0; number < 50; number++)
    assert.equal((await askFrom(ATTACKER, configOf(house, `$${number}`))).status, 404)
  assert.equal(house.network.queries.length, 0)
  assert.equal((await askFrom(ATTACKER, configOf(house, 'shop-public'))).status, 200)
})

test('a request is counted even if the client disconnects before the response', async (t) => {
  const house = await houseFor(t)
  const {promise: released, resolve: release} = Promise.withResolvers<void>()
  house.network.fault = {kind: 'hold', until: released}
  for (let number = 0; number < 10; number++) {
    const publicId = `made-up-${number}`
    const leaving = new AbortController()
    const asking = askFrom(ATTACKER, configOf(house, publicId), {signal: leaving.signal})
    await eventually(async () => house.network.queries.some((url) => url.includes(publicId)), Boolean)
    leaving.abort()
    await assert.rejects(asking, {name: 'AbortError'})
  }
  const refused = await askFrom(ATTACKER, configOf(house, 'made-up-10'))
  assert.equal(refused.status, 429)
  release()
  house.network.fault = {kind: 'none'}
  assert.equal((await askFrom(NEIGHBOUR, configOf(house, 'site-1'))).status, 200)
})

test('upstream failures do not count', async (t) => {
  const house = await houseFor(t)
  const ask = (publicId: string) => askFrom(ATTACKER, configOf(house, publicId))
  house.network.fault = {kind: 'refuse'}
  for (let number = 0; number < 20; number++) assert.equal((await ask(`site-${number}`)).status, 500)
  house.network.fault = {kind: 'none'}
  await eventually(async () => (await ask('site-1')).status, 200)
})
