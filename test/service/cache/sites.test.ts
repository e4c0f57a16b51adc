import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {ageOf, configOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, startHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

async function houseFor(t: TestContext, environment?: NodeJS.ProcessEnv): Promise<House> {
  const house = await startHouse(
    [
      siteDocument(),
      siteDocument({_id: 'b', publicId: 'site-b'}),
      toolDocument(),
      toolDocument({_id: 'tool-b', site: {_ref: 'b', _type: 'reference'}, name: 'toolOfB'}),
    ],
    environment,
  )
  t.after(() => house.close())
  return house
}

/**
 * Allowance, in seconds, for a busy machine: the mocked clock keeps running during work that should be
 * instant.
 */
const SLOWNESS = 3

function assertAge(response: Response, seconds: number, message?: string): void {
  const age = ageOf(response)
  assert.ok(age >= seconds && age <= seconds + SLOWNESS, message ?? `Age: ${age}`)
}

const changedTool = toolDocument({description: 'Changed.'})

async function description(house: House): Promise<unknown> {
  return (await configOf(house.config('shop-public'))).tools[0]?.description
}

test('100 concurrent requests for a cold site send one upstream query; 1,000 other paths send none', async (t) => {
  const house = await houseFor(t)
  await Promise.all(Array.from({length: 100}, (_, i) => house.config('shop-public', `/page-${i}`)))
  assert.equal(house.network.queries.length, 1)
  for (let i = 0; i < 200; i++) await house.config('shop-public', `/more/${i}`)
  assert.equal(house.network.queries.length, 1)
})

test('an unknown public ID is cached until a site with it is published', async (t) => {
  const house = await houseFor(t)
  for (let i = 0; i < 3; i++) assert.equal((await house.config('not-yet-there')).status, 404)
  assert.equal(house.network.queries.length, 1)
  await house.repository.commit([siteDocument({_id: 'new', publicId: 'not-yet-there'})])
  await eventually(
    async () => (await house.config('not-yet-there')).status,
    (status) => status === 200,
  )
})

test('a malformed public ID never reaches the lake', async (t) => {
  const house = await houseFor(t)
  assert.equal((await house.config('"] | *[')).status, 404)
  assert.equal(house.network.queries.length, 0)
})

test('a change invalidates the site it affects, and no other', async (t) => {
  const house = await houseFor(t)
  await house.config('shop-public')
  await house.config('site-b')
  house.network.queries.length = 0
  await house.repository.commit([changedTool])
  await eventually(
    () => description(house),
    (text) => text === 'Changed.',
  )
  await house.config('site-b')
  assert.equal(house.network.queries.length, 1, 'one refetch of the changed site, none of the other')
})

test('a tool that moves between sites disappears from one and shows on the other', async (t) => {
  const house = await houseFor(t)
  const names = async (publicId: string) => (await configOf(house.config(publicId))).names.join()
  assert.deepEqual([await names('shop-public'), await names('site-b')], ['searchProducts', 'toolOfB'])
  await house.repository.commit([toolDocument({site: {_ref: 'b', _type: 'reference'}})])
  await eventually(
    () => names('site-b'),
    (text) => text === 'searchProducts,toolOfB',
  )
  await eventually(
    () => names('shop-public'),
    (text) => text === '',
  )
})

test('Age counts from the last sign of life of live events, without queries', async (t) => {
  const house = await houseFor(t)
  assertAge(await house.config('shop-public'), 0)
  house.pass(20)
  assertAge(await house.config('shop-public'), 20)
  await eventually(
    async () => ageOf(await house.config('shop-public')),
    (age) => age < 15,
    15,
  )
  assert.equal(house.network.queries.length, 1)
})

test('without live events, Age counts from a comparison in the background', async (t) => {
  const house = await houseFor(t)
  await house.config('shop-public')
  house.network.liveFault = {kind: 'refuse'}
  house.network.cut()
  await eventually(
    async () => house.lines,
    (lines) => lines.some(({msg}) => msg === 'live events stopped'),
  )
  house.pass(12)
  assertAge(await house.config('shop-public'), 12, 'served immediately, revalidated in the background')
  await eventually(
    async () => ageOf(await house.config('shop-public')),
    (age) => age <= SLOWNESS,
  )
  assert.match(house.network.queries.join(), /revision/, 'the cheap query')
})

test('a config older than max-age is revalidated before it is served, if the lake responds quickly', async (t) => {
  const house = await houseFor(t)
  await house.config('shop-public')
  // On a busy machine the lake may exceed the time that a request waits, so this does not hold every time.
  await eventually(
    async () => {
      house.pass(61)
      return ageOf(await house.config('shop-public'))
    },
    (age) => age < 10,
    10,
  )
})

test('revalidation catches a lost event', async (t) => {
  const house = await houseFor(t)
  await house.config('shop-public')
  house.network.liveFault = {kind: 'refuse'}
  house.network.cut()
  await house.client.patch('search').set({description: 'Changed.'}).commit()
  house.pass(11)
  await eventually(
    () => description(house),
    (text) => text === 'Changed.',
  )
})

for (const [name, fault] of [
  ['refuses connections', {kind: 'refuse'}],
  ['hangs', {kind: 'hang'}],
  ['returns 500', {kind: 'answer', status: 500, contentType: 'application/json', body: '{}'}],
  [
    'returns 200 with an HTML page',
    {kind: 'answer', status: 200, contentType: 'text/html', body: '<h1>Hi</h1>'},
  ],
  [
    'returns 200 without a result',
    {kind: 'answer', status: 200, contentType: 'application/json', body: '{}'},
  ],
  ['closes the connection in the middle', {kind: 'half', body: '{"result": {"_id": "shop"'}],
] as const) {
  test(`the last known good config is served, with its true Age, while the lake ${name}`, async (t) => {
    const house = await houseFor(t)
    const good = await (await house.config('shop-public')).text()
    house.network.fault = fault
    house.pass(3_600)
    const response = await house.config('shop-public')
    assert.equal(response.status, 200)
    assert.equal(await response.text(), good)
    assertAge(response, 3_600)

    house.network.fault = {kind: 'none'}
    house.network.cut()
    house.pass(2)
    await eventually(
      async () => ageOf(await house.config('shop-public')),
      (age) => age <= SLOWNESS,
    )
  })
}

test('a site that is invalidated while the lake is unavailable is served from the last known good config', async (t) => {
  const house = await houseFor(t)
  await house.config('shop-public')
  house.network.fault = {kind: 'refuse'}
  await house.repository.commit([changedTool])
  await eventually(
    async () => house.network.queries.length,
    (queries) => {
      void house.config('shop-public')
      return queries > 1
    },
  )
  assert.equal((await house.config('shop-public')).status, 200)
})

test('past MAX_STALE_SECONDS the last known good config is no longer served', async (t) => {
  const house = await houseFor(t, {MAX_STALE_SECONDS: '100'})
  await house.config('shop-public')
  house.network.fault = {kind: 'refuse'}
  house.pass(99)
  assert.equal((await house.config('shop-public')).status, 200)
  house.pass(2)
  assert.equal((await house.config('shop-public')).status, 500)
})
