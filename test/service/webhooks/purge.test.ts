import assert from 'node:assert/strict'
import {test} from 'node:test'
import {configOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import type {House} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {change, deafHouse, deliver, documentOf} from './support.ts'

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
  const {before, after} = await change(house, 'search', () =>
    house.repository.commit([toolDocument({description: 'Changed.'})]),
  )
  assert.deepEqual(await deliver(house, {before, after}), {
    status: 200,
    body: {purged: ['shop-public'], current: []},
  })
  await eventually(() => description(house), 'Changed.')
  await house.config('site-b')
  assert.equal(house.network.queries.length, 1, 'nothing else was fetched again')
})

test('drafts, versions, other types and sites never requested invalidate nothing', async (t) => {
  const house = await deafHouse(t, documents)
  const after = await documentOf(house, 'search')
  assert.deepEqual((await deliver(house, {after})).body, {purged: [], current: []}, 'nothing is cached')
  await visit(house)
  for (const payload of [
    {...after, _id: 'drafts.search', _rev: 'x'},
    {...after, _id: 'versions.r1.search', _rev: 'x'},
    {...after, _id: 'a-post', _type: 'post', _rev: 'x'},
  ]) {
    const {status, body} = await deliver(house, {payload})
    assert.deepEqual([status, body.purged], [200, []])
    assert.match(String(body.ignored), /not served/)
  }
  await house.config('shop-public')
  assert.equal(house.network.queries.length, 0)
})

test('the response does not wait for the lake', async (t) => {
  const house = await deafHouse(t, documents)
  await visit(house)
  const changed = await change(house, 'search', () =>
    house.repository.commit([toolDocument({description: 'Changed.'})]),
  )
  const {promise: released, resolve: release} = Promise.withResolvers<void>()
  house.network.fault = {kind: 'hold', until: released}
  assert.deepEqual((await deliver(house, changed)).body.purged, ['shop-public'])
  assert.equal(await description(house), 'Searches the shop.')
  release()
  await eventually(() => description(house), 'Changed.')
})
