import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {ageOf, configOf} from '../../support/answers.ts'
import {eventually, SOON} from '../../support/eventually.ts'
import {type House, startHouse} from '../../support/house.ts'
import {metricsOf} from '../../support/metrics.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const tool = (description: string) => toolDocument({description})

async function houseFor(
  t: TestContext,
  documents = [siteDocument(), tool('Old.')],
  environment: NodeJS.ProcessEnv = {},
): Promise<House> {
  const house = await startHouse(documents, environment)
  t.after(() => house.close())
  return house
}

async function becomes(house: House, description: string, seconds = 5): Promise<void> {
  await eventually(
    async () => (await configOf(house.config('shop-public'))).tools[0]?.description,
    (now) => now === description,
    seconds,
  )
}

/** Publishes through the lake, so that it knows of the change at once. */
async function publish(house: House): Promise<void> {
  await house.client.patch('search').set({description: 'New.'}).commit()
}

const told = (house: House, msg: string) => house.lines.filter((line) => line.msg === msg).length

test('a change is fetched before it is requested', async (t) => {
  const house = await houseFor(t)
  await house.config('shop-public')
  await publish(house)
  await eventually(
    async () => house.network.queries.length,
    (asked) => asked === 2,
    SOON,
  )
  await becomes(house, 'New.')
  assert.equal(house.network.queries.length, 2)
})

test('a site not requested for ten minutes is fetched only with the next request', async (t) => {
  const house = await houseFor(t, [
    siteDocument(),
    tool('Old.'),
    siteDocument({_id: 'other', publicId: 'other-public'}),
  ])
  await house.config('shop-public')
  house.pass(601)
  await house.config('other-public')
  const changes = house.client.transaction().patch('search', {set: {description: 'New.'}})
  await changes.patch('other', {set: {publicId: 'another-public'}}).commit()
  // The same event affected this recently used site. If the first one had been prefetched, it would have come
  // before.
  await eventually(
    async () => house.network.queries.filter((url) => url.includes('other-public')).length,
    (asked) => asked === 2,
    SOON,
  )
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
    5,
  )
})

test('a change during a stream outage shows once the stream is back', async (t) => {
  const house = await houseFor(t)
  await house.config('shop-public')
  house.network.liveFault = {kind: 'refuse'}
  house.network.cut()
  await eventually(
    async () => told(house, 'live events stopped'),
    (times) => times === 1,
    SOON,
  )
  await publish(house)
  house.network.liveFault = {kind: 'none'}
  await becomes(house, 'New.', 10)
})

test('while the stream is cut, a change is found within seconds, whether or not the site is requested', async (t) => {
  const house = await houseFor(t)
  await house.config('shop-public')
  house.network.liveFault = {kind: 'hang'}
  house.network.cut()
  await eventually(
    async () => told(house, 'live events stopped'),
    (times) => times === 1,
    SOON,
  )
  await publish(house)
  house.network.queries.length = 0
  // Compared every five seconds: one query to see the change, one to fetch it.
  await eventually(
    async () => house.network.queries.length,
    (asked) => asked >= 2,
    11,
  )
  assert.equal((await configOf(house.config('shop-public'))).tools[0]?.description, 'New.')
})

test('after an outage of the lake, events are followed again and missed changes are prefetched', async (t) => {
  const house = await houseFor(t)
  await house.config('shop-public')
  await house.network.unplug()
  await publish(house)
  await eventually(
    async () => told(house, 'content lake unreachable; serving last known good configs'),
    (times) => times === 1,
    10,
  )
  house.network.queries.length = 0
  await house.network.plug()
  await eventually(
    async () => house.network.queries.filter((url) => url.includes('tag=handrail.site')).length,
    (asked) => asked >= 1,
    15,
  )
  await becomes(house, 'New.')
  assert.equal(told(house, 'content lake reachable again'), 1)
})

test('an event that is lost on the way is found by the next comment of the lake', async (t) => {
  const house = await houseFor(t)
  await house.config('shop-public')
  house.network.liveFilter = (text) => text.replace(/event: message\n[\s\S]*?\n\n/g, '')
  await publish(house)
  await becomes(house, 'New.', 15)
  assert.equal(told(house, 'live events lost an event; comparing sites in use with upstream'), 1)
  assert.equal(told(house, 'live events stopped'), 0)
})

test('an event that is lost on the way is found by an audit, if comments are empty', async (t) => {
  const house = await houseFor(t, undefined, {RATE_LIMIT_MAX: '10000'})
  house.network.liveFilter = (text) => text.replace(/^: id:.*$/gm, ':')
  await house.config('shop-public')
  await eventually(
    async () => house.network.audits,
    (audits) => audits === 1,
    SOON,
  )
  house.network.liveFilter = (text) =>
    text.replace(/event: message\n[\s\S]*?\n\n/g, '').replace(/^: id:.*$/gm, ':')
  await house.client.delete('search')
  // An audit is due after 45 s, and without a comment for 30 s the stream counts as lost.
  for (let i = 0; i < 3; i++) {
    house.pass(15)
    await eventually(
      async () => ageOf(await house.config('shop-public')),
      (age) => age < 15,
      15,
    )
  }
  await eventually(
    async () => (await configOf(house.config('shop-public'))).tools.length,
    (count) => count === 0,
    15,
  )
  house.pass(11)
  await eventually(
    async () => house.lines.find(({msg}) => String(msg).startsWith('live events did not report'))?.publicIds,
    (publicIds) => String(publicIds) === 'shop-public',
    10,
  )
  const {samples} = await metricsOf(house.serviceAddress)
  assert.equal(samples.get('handrail_lost_events_total{found_by="audit"}'), 1)
  assert.equal(told(house, 'live events stopped'), 0)
})
