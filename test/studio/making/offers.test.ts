import assert from 'node:assert/strict'
import {test} from 'node:test'
import {offer, takeOffers, whenTaken} from '../../../studio/making/offers.ts'
import {shownFields} from '../../../studio/making/shownField.ts'
import {MAX_HOURS} from '../../../studio/preview/recentEntries.ts'

const OFFER = {fieldId: 'k1', tool: {fields: {selector: 'form'}}}

test('an offer is taken by the form that it is for, and the dialog of its field learns of it', async (t) => {
  const offered: unknown[] = []
  const told = new Promise<void>((resolve) => t.after(whenTaken('k1', resolve)))
  t.after(takeOffers(() => false))
  t.after(takeOffers((one) => offered.push(one) > 0))
  assert.equal(await offer(OFFER, 1, 10_000), true)
  await told
  assert.deepEqual(offered, [OFFER])
})

test('an offer that no form takes ends after its attempts', async (t) => {
  const offered: unknown[] = []
  t.after(takeOffers((one) => offered.push(one) < 0))
  assert.equal(await offer(OFFER, 3, 10), false)
  assert.ok(offered.length <= 3, String(offered.length))
})

test('a form takes no offer whose time was over when the browser delivered it', async (t) => {
  const offered: string[] = []
  t.after(takeOffers(({fieldId}) => offered.push(fieldId) > 0))
  const channel = new BroadcastChannel('handrail-shown')
  t.after(() => channel.close())
  channel.postMessage({...OFFER, until: Date.now() - 1})
  channel.postMessage({fieldId: 7, until: Date.now() + 10_000})
  assert.equal(await offer({fieldId: 'later', tool: undefined}, 1, 10_000), true)
  assert.deepEqual(offered, ['later'])
})

test('only fields for which this browser opened a page are known, for some hours', () => {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
  const field = {id: 'k1', siteId: 's', toolId: 't', type: 'tool', field: 'reading', part: 'p'} as const
  shownFields.add(field, storage, 1_000)
  assert.deepEqual(shownFields.list(storage, 2_000), [{...field, startedAt: 1_000}])
  assert.deepEqual(shownFields.list(storage, 1_000 + MAX_HOURS * 3_600_000), [])
  for (const change of [{field: 'toString'}, {type: 'site'}, {part: 1}, {toolId: undefined}]) {
    items.set('handrail.shown-fields', JSON.stringify([{...field, ...change, startedAt: 1_000}]))
    assert.deepEqual(shownFields.list(storage, 2_000), [], JSON.stringify(change))
  }
})
