import assert from 'node:assert/strict'
import {test} from 'node:test'
import {configOf} from '../support/answers.ts'
import {eventually} from '../support/eventually.ts'
import {type House, runHouse} from '../support/house.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {deliver, secret} from './webhooks/support.ts'

// A service that compares nothing by itself: what else it is told of a publish is not there to find it later.

for (const [by, isMuted, tell] of [
  ['live events', false, async () => {}],
  ['a webhook', true, async (house: House) => assert.equal((await deliver(house)).status, 200)],
] as const)
  test(`a publish is served because of ${by} alone`, async (t) => {
    const documents = [siteDocument(), toolDocument()]
    const house = await runHouse(t, documents, {SANITY_WEBHOOK_SECRET: secret}, {keepFreshEvery: 2 ** 30})
    house.network.isMuted = isMuted
    await house.config('shop-public')
    await house.client.patch('search').set({description: 'Published.'}).commit()
    await tell(house)
    const described = async () => (await configOf(house.config('shop-public'))).tools[0]?.description
    await eventually(described, 'Published.')
  })
