import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {configOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, QUICK, runHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const tool = (description: string) => toolDocument({description})

async function houseFor(
  t: TestContext,
  documents = [siteDocument(), tool('Old.')],
  timing = QUICK,
): Promise<House> {
  return runHouse(t, documents, {}, timing)
}

async function becomes(house: House, description: string): Promise<void> {
  await eventually(
    async () => (await configOf(house.config('shop-public'))).tools[0]?.description,
    description,
  )
}

/** Publishes through the lake, so that it knows of the change at once. */
async function publish(house: House): Promise<void> {
  await house.client.patch('search').set({description: 'New.'}).commit()
}

const told = (house: House, msg: string) => house.lines.filter((line) => line.msg === msg).length

test('a site not requested for ten minutes is fetched only with the next request', async (t) => {
  const other = siteDocument({_id: 'other', publicId: 'other-public'})
  // No audit is due in the meantime.
  const house = await houseFor(t, [siteDocument(), tool('Old.'), other], {keepFreshEvery: 3_600_000})
  await house.config('shop-public')
  house.pass(601)
  await house.config('other-public')
  const changes = house.client.transaction().patch('search', {set: {description: 'New.'}})
  await changes.patch('other', {set: {publicId: 'another-public'}}).commit()
  // The same event affected this recently used site. If the first one had been prefetched, it would have come
  // before.
  await eventually(() => house.network.queries.filter((url) => url.includes('other-public')).length, 2)
  const asked = house.network.queries.filter((url) => url.includes('shop-public'))
  assert.equal(asked.length, 1)
  await becomes(house, 'New.')
})

test('after an outage of the lake, events are followed again and missed changes are prefetched', async (t) => {
  const house = await houseFor(t)
  await house.config('shop-public')
  await house.network.unplug()
  await publish(house)
  await eventually(
    () => told(house, 'content lake unreachable; serving last known good configs, if there are any'),
    1,
  )
  house.network.queries.length = 0
  await house.network.plug()
  await eventually(
    async () => house.network.queries.filter((url) => url.includes('tag=handrail.site')).length,
    (asked) => asked >= 1,
  )
  await becomes(house, 'New.')
  assert.equal(told(house, 'content lake reachable again'), 1)
})
