import assert from 'node:assert/strict'
import {test} from 'node:test'
import {configOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import type {House} from '../../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {change, deafHouse, deliver, documentOf, webhookHouse} from './support.ts'

const toB = {_ref: 'b', _type: 'reference'}
const documents = [
  siteDocument(),
  siteDocument({_id: 'b', publicId: 'site-b'}),
  siteDocument({_id: 'c', publicId: 'site-c'}),
  toolDocument(),
  toolDocument({_id: 'tool-b', site: toB, name: 'toolOfB'}),
  formToolDocument(),
]

/** Requests every site once, so that all are cached. */
async function visit(house: House): Promise<void> {
  for (const publicId of ['shop-public', 'site-b', 'site-c']) await house.config(publicId)
  house.network.queries.length = 0
}

const names = async (house: House, publicId: string) => (await configOf(house.config(publicId))).names.join()
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

for (const [name, payloadOf] of [
  ['by the recommended projection', undefined],
  ['by the whole document', (after: unknown) => after],
] as const) {
  test(`a tool that moves invalidates the site it left and the one it joined, ${name}`, async (t) => {
    const house = await deafHouse(t, documents)
    await visit(house)
    const {before, after} = await change(house, 'search', () =>
      house.repository.commit([toolDocument({site: toB})]),
    )
    const {body} = await deliver(house, {before, after, payload: payloadOf?.(after)})
    assert.deepEqual([body.purged].flat().sort(), ['shop-public', 'site-b'])
    await eventually(() => names(house, 'site-b'), 'searchProducts,toolOfB')
    await eventually(() => names(house, 'shop-public'), 'contactUs')
  })
}

for (const [name, payloadOf] of [
  ['by the recommended projection', undefined],
  ['by the whole document', (after: unknown) => after],
] as const) {
  test(`a renamed site is gone under its old public ID and served under the new one, ${name}`, async (t) => {
    const house = await deafHouse(t, documents)
    await visit(house)
    assert.equal((await house.config('shop-renamed')).status, 404, 'which is cached')
    const {before, after} = await change(house, 'shop', () =>
      house.repository.commit([siteDocument({publicId: 'shop-renamed'})]),
    )
    const {body} = await deliver(house, {before, after, payload: payloadOf?.(after)})
    assert.deepEqual([body.purged].flat().sort(), ['shop-public', 'shop-renamed'])
    await eventually(
      async () => [(await house.config('shop-public')).status, (await house.config('shop-renamed')).status],
      ([old, renamed]) => old === 404 && renamed === 200,
    )
  })
}

for (const [name, payloadOf] of [
  ['by the recommended projection', undefined],
  ['by the whole document', (before: unknown) => before],
] as const) {
  test(`a deleted site, and a deleted form tool, are gone, ${name}`, async (t) => {
    const house = await deafHouse(t, documents)
    await visit(house)
    const site = await change(house, 'c', () => house.repository.remove([{_id: 'c', _type: 'site'}]))
    const formTool = await change(house, 'contact', () =>
      house.repository.remove([{_id: 'contact', _type: 'formTool'}]),
    )
    for (const [deleted, publicId] of [
      [site, 'site-c'],
      [formTool, 'shop-public'],
    ] as const) {
      const {body} = await deliver(house, {...deleted, payload: payloadOf?.(deleted.before)})
      assert.deepEqual(body.purged, [publicId])
    }
    await eventually(async () => (await house.config('site-c')).status, 404)
    await eventually(() => names(house, 'shop-public'), 'searchProducts')
  })
}

test('a new tool and a tool that was disabled are announced through their sites', async (t) => {
  const house = await deafHouse(t, documents)
  await visit(house)
  const added = await change(house, 'new', () =>
    house.repository.commit([toolDocument({_id: 'new', name: 'addedTool'})]),
  )
  assert.deepEqual((await deliver(house, added)).body.purged, ['shop-public'])
  await eventually(() => names(house, 'shop-public'), 'addedTool,searchProducts,contactUs')
  const disabled = await change(house, 'search', () =>
    house.repository.commit([toolDocument({enabled: false})]),
  )
  assert.deepEqual((await deliver(house, disabled)).body.purged, ['shop-public'])
  await eventually(() => names(house, 'shop-public'), 'addedTool,contactUs')
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

test('a change already received through live events is reported as current', async (t) => {
  const house = await webhookHouse(t, documents)
  await visit(house)
  const changed = await change(house, 'search', () =>
    house.repository.commit([toolDocument({description: 'Changed.'})]),
  )
  await eventually(() => description(house), 'Changed.')
  assert.deepEqual((await deliver(house, changed)).body, {purged: [], current: ['shop-public']})
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

test('twenty deliveries, shuffled and concurrent, end with the newest content', async (t) => {
  const house = await deafHouse(t, documents)
  await visit(house)
  const changes: Awaited<ReturnType<typeof change>>[] = []
  for (let number = 1; number <= 20; number += 1) {
    const text = `Change ${number}.`
    changes.push(
      await change(house, 'search', () => house.client.patch('search').set({description: text}).commit()),
    )
  }
  const shuffled = changes.toSorted(() => Math.random() - 0.5)
  const answers = await Promise.all(shuffled.map((one) => deliver(house, one)))
  assert.deepEqual([...new Set(answers.map(({status}) => status))], [200])
  await eventually(() => description(house), 'Change 20.')
  for (const late of changes.slice(0, 5)) {
    await deliver(house, late)
    assert.equal(await description(house), 'Change 20.')
  }
})

test('two changes within a second show at once, even if the later one is announced first', async (t) => {
  const house = await deafHouse(t, documents)
  await visit(house)
  const edit = (text: string) =>
    change(house, 'search', () => house.client.patch('search').set({description: text}).commit())
  const first = await edit('First.')
  const second = await edit('Second.')
  const {promise: released, resolve: release} = Promise.withResolvers<void>()
  house.network.fault = {kind: 'hold', until: released}
  await deliver(house, second)
  await deliver(house, first)
  release()
  await eventually(() => description(house), 'Second.')
})
