import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {testRepository} from '../../lake/support/git.ts'
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

test('a change of more documents than tags can name reaches every site: the lake sends a restart event', async (t) => {
  const many = Array.from({length: 400}, (_, number) =>
    toolDocument({_id: `t${number}`, name: `tool${number}`}),
  )
  const house = await houseFor(t, [siteDocument(), tool('Old.'), ...many])
  await house.config('shop-public')
  const ids = ['search', ...many.map(({_id}) => _id)]
  const changes = house.client.transaction()
  for (const id of ids) changes.patch(id, {set: {description: 'New.'}})
  await changes.commit()
  await eventually(
    async () => (await configOf(house.config('shop-public'))).tools,
    (tools) => tools.every(({description}) => description === 'New.'),
  )
})

test('a commit that is older than its push is found without its event: the lake tells of it with each query', async (t) => {
  const house = await houseFor(t)
  await house.config('shop-public')
  await eventually(
    async () => house.network.audits,
    (audits) => audits > 0,
  )
  house.network.isMuted = true
  const anHourAgo = Math.floor(Date.now() / 1_000) - 3_600
  await testRepository(house.repository.dir).commit({'tool/search.json': tool('New.')}, anHourAgo)
  await eventually(async () => (await house.client.getDocument('search'))?.description, 'New.')
  house.pass(46)
  // A stream that is silent for 30 s counts as lost, and then all sites are compared.
  const compared = () => house.network.queries.filter((url) => url.includes('tag=handrail.revision')).length
  await eventually(compared, 1, 20)
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
