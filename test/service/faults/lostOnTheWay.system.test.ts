import assert from 'node:assert/strict'
import {test} from 'node:test'
import {configOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, runHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

// With the heartbeats of a real lake, which come every ten seconds. What the service does with each, and with none, is
// tested in upstream/liveEvents.test.ts and lostEvents.test.ts.

const told = (house: House, msg: string) => house.lines.filter((line) => line.msg === msg).length

test('an event that is lost on the way is found by the next comment of the lake', async (t) => {
  const house = await runHouse(t, [siteDocument(), toolDocument({description: 'Old.'})])
  await house.config('shop-public')
  house.network.liveFilter = (text) => text.replace(/event: message\n[\s\S]*?\n\n/g, '')
  await house.client.patch('search').set({description: 'New.'}).commit()
  await eventually(async () => (await configOf(house.config('shop-public'))).tools[0]?.description, 'New.')
  assert.equal(told(house, 'live events lost an event; comparing sites in use with upstream'), 1)
  assert.equal(told(house, 'live events stopped'), 0)
})
