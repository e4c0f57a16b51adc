import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {ageOf, configOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, runHouse} from '../../support/house.ts'
import {metricsOf} from '../../support/metrics.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

// With the heartbeats of a real lake, which come every ten seconds. What the service does with each is tested in
// upstream/liveEvents.test.ts and lostEvents.test.ts.

async function houseFor(t: TestContext, environment: NodeJS.ProcessEnv = {}): Promise<House> {
  return runHouse(t, [siteDocument(), toolDocument({description: 'Old.'})], environment)
}

const told = (house: House, msg: string) => house.lines.filter((line) => line.msg === msg).length

test('an event that is lost on the way is found by the next comment of the lake', async (t) => {
  const house = await houseFor(t)
  await house.config('shop-public')
  house.network.liveFilter = (text) => text.replace(/event: message\n[\s\S]*?\n\n/g, '')
  await house.client.patch('search').set({description: 'New.'}).commit()
  await eventually(async () => (await configOf(house.config('shop-public'))).tools[0]?.description, 'New.')
  assert.equal(told(house, 'live events lost an event; comparing sites in use with upstream'), 1)
  assert.equal(told(house, 'live events stopped'), 0)
})

test('an event that is lost on the way is found by an audit, if comments are empty', async (t) => {
  const house = await houseFor(t, {RATE_LIMIT_MAX: '10000'})
  house.network.liveFilter = (text) => text.replace(/^: id:.*$/gm, ':')
  await house.config('shop-public')
  await eventually(() => house.network.audits, 1)
  house.network.liveFilter = (text) =>
    text.replace(/event: message\n[\s\S]*?\n\n/g, '').replace(/^: id:.*$/gm, ':')
  await house.client.delete('search')
  // An audit is due after 45 s, and without a comment for 30 s the stream counts as lost.
  for (let i = 0; i < 3; i++) {
    house.pass(15)
    await eventually(
      async () => ageOf(await house.config('shop-public')),
      (age) => age < 15,
    )
  }
  await eventually(async () => (await configOf(house.config('shop-public'))).tools.length, 0)
  house.pass(11)
  await eventually(
    async () => house.lines.find(({msg}) => String(msg).startsWith('live events did not report'))?.publicIds,
    (publicIds) => String(publicIds) === 'shop-public',
  )
  const {samples} = await metricsOf(house.serviceAddress)
  assert.equal(samples.get('handrail_lost_events_total{found_by="audit"}'), 1)
  assert.equal(told(house, 'live events stopped'), 0)
})
