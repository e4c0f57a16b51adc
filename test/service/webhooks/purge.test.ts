import assert from 'node:assert/strict'
import {test} from 'node:test'
import {configOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import type {House} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {deafHouse, deliver} from './support.ts'

const documents = [siteDocument(), siteDocument({_id: 'b', publicId: 'site-b'}), toolDocument()]

/** Requests every site once, so that all are cached. */
async function visit(house: House): Promise<void> {
  for (const publicId of ['shop-public', 'site-b']) await house.config(publicId)
  house.network.queries.length = 0
}

const description = async (house: House) =>
  (await configOf(house.config('shop-public'))).tools[0]?.description

test('a changed tool invalidates its site and no other, and the change shows without a live event', async (t) => {
  const house = await deafHouse(t, documents)
  await visit(house)
  await house.client.patch('search').set({description: 'Changed.'}).commit()
  assert.deepEqual(await deliver(house), {status: 200, body: {result: 'asking'}})
  await eventually(() => description(house), 'Changed.')
  await house.config('site-b')
  assert.equal(house.network.queries.length, 1, 'nothing else was fetched again')
})

test('the response does not wait for the lake', async (t) => {
  const house = await deafHouse(t, documents)
  await visit(house)
  await house.client.patch('search').set({description: 'Changed.'}).commit()
  const {promise: released, resolve: release} = Promise.withResolvers<void>()
  house.network.fault = {kind: 'hold', until: released}
  assert.deepEqual((await deliver(house)).body, {result: 'asking'})
  assert.equal(await description(house), 'Searches the shop.')
  release()
  await eventually(() => description(house), 'Changed.')
})
