import assert from 'node:assert/strict'
import {test} from 'node:test'
import {configOf} from '../support/answers.ts'
import {eventually, SOON} from '../support/eventually.ts'
import {runHouse} from '../support/house.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {bodyOf, preview, runPreviewHouse, tokenFor} from './preview/support.ts'
import {deafHouse, deliver} from './webhooks/support.ts'

// What the documentation promises in seconds. Everywhere else, a busy machine may take as long as it needs.

const documents = [siteDocument(), toolDocument()]

test(`a publish is served within ${SOON} s, by live events`, async (t) => {
  const house = await runHouse(t, documents)
  await house.config('shop-public')
  await house.client.patch('search').set({description: 'Published.'}).commit()
  await eventually(
    async () => (await configOf(house.config('shop-public'))).tools[0]?.description,
    'Published.',
    SOON,
  )
})

test(`a publish is served within ${SOON} s, by a webhook`, async (t) => {
  const house = await deafHouse(t, documents)
  await house.config('shop-public')
  await house.client.patch('search').set({description: 'Published.'}).commit()
  assert.equal((await deliver(house)).status, 200)
  await eventually(
    async () => (await configOf(house.config('shop-public'))).tools[0]?.description,
    'Published.',
    SOON,
  )
})

test(`a draft shows in a preview within ${SOON} s`, async (t) => {
  const house = await runPreviewHouse(t, documents)
  const token = await tokenFor(house)
  // The first one starts a thread, for which a busy machine may be too slow.
  await eventually(async () => (await preview(house, token)).status, 200)
  await house.client.createOrReplace({...toolDocument(), _id: 'drafts.search', description: 'A draft.'})
  await eventually(
    () => bodyOf(preview(house, token)),
    ({text}) => text.includes('A draft.'),
    SOON,
  )
})
