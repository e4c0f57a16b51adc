import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Entry} from '../../../service/cache/entries.ts'
import {Freshness} from '../../../service/cache/freshness.ts'
import {entryOf} from '../support/entries.ts'

async function world() {
  const entries: Entry[] = []
  const freshness = new Freshness({all: () => entries.values()})
  return {
    freshness,
    async add(validatedAt: number, fields: Partial<Entry> = {}): Promise<Entry> {
      const entry = {...(await entryOf('shop', null)), validatedAt, ...fields}
      entries.push(entry)
      return entry
    },
  }
}

test('what is validated after changes are known is valid until no change was missed', async () => {
  const {freshness, add} = await world()
  const before = await add(1_000)
  freshness.advance(2_000)
  const after = await add(2_000)
  freshness.advance(12_000)
  freshness.extendAll()
  assert.deepEqual([before.validatedAt, after.validatedAt], [1_000, 12_000])
  assert.deepEqual([freshness.covers(before), freshness.covers(after)], [false, true])
})

test('after a gap, an entry keeps its date until it is compared', async () => {
  const {freshness, add} = await world()
  freshness.advance(1_000)
  const entry = await add(1_000)
  freshness.advance(11_000)
  freshness.begin(20_000)
  freshness.advance(30_000)
  freshness.extend(entry)
  assert.deepEqual([entry.validatedAt, freshness.covers(entry)], [11_000, false])
})

test('what changed, or comes from a snapshot, is not covered', async () => {
  const {freshness, add} = await world()
  freshness.advance(1_000)
  assert.ok(!freshness.covers(await add(2_000, {isStale: true})))
  assert.ok(!freshness.covers(await add(2_000, {fromSnapshot: true})))
})
