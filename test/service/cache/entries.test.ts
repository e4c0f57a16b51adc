import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Entries, type Entry} from '../../../service/cache/entries.ts'
import {documentOf, entryOf} from '../support/entries.ts'

test('IDs without a site are bounded, and never evict one that has a site', async () => {
  const entries = new Entries(1_000_000)
  entries.set(await entryOf('shop-1', documentOf('shop-1')))
  for (let number = 0; number < 30_000; number++) {
    entries.set(await entryOf(`made-up-${number}`, null))
  }
  assert.deepEqual(entries.status(0), {
    sites: 1,
    absent: 10_000,
    oldestInUse: 0,
    fromSnapshot: 0,
    invalidDocuments: 0,
  })
  assert.ok(entries.get('shop-1'))
})

test('sites are bounded by bytes, and the least recently used is evicted first', async () => {
  const size = (await entryOf('a', documentOf('a'))).site?.bytes ?? 0
  const entries = new Entries(Math.floor(size * 3.5))
  for (const publicId of ['a', 'b', 'c']) entries.set(await entryOf(publicId, documentOf(publicId)))
  entries.get('a')
  entries.peek('b')
  entries.set(await entryOf('d', documentOf('d')))
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((publicId) => entries.peek(publicId) !== undefined),
    [true, false, true, true],
  )
  assert.deepEqual([...entries.touchedBy(['a-id', 'b-id'])], ['a'])
})

test('a site that is created, deleted and created again is in one place at a time', async () => {
  const entries = new Entries(1_000_000)
  entries.set(await entryOf('shop-1', null))
  entries.set(await entryOf('shop-1', documentOf('shop-1')))
  assert.deepEqual(entries.status(0).sites, 1)
  assert.deepEqual(entries.status(0).absent, 0)
  assert.deepEqual([...entries.touchedBy(['shop-1-id'])], ['shop-1'])
  entries.set(await entryOf('shop-1', null))
  assert.deepEqual([entries.status(0).sites, entries.status(0).absent], [0, 1])
  assert.deepEqual([...entries.touchedBy(['shop-1-id'])], [])
})

test('a site larger than the whole site memory is served but not cached', async () => {
  const entries = new Entries(100)
  entries.set(await entryOf('shop-1', documentOf('shop-1')))
  assert.equal(entries.get('shop-1'), undefined)
  assert.deepEqual([...entries.touchedBy(['shop-1-id'])], [])
})

/** Entries, and one without a site that was validated at a time. */
async function dated() {
  const entries = new Entries(1_000_000)
  const add = async (publicId: string, fields: Partial<Entry>) => {
    const entry = {...(await entryOf(publicId, null)), ...fields}
    entries.set(entry)
    return entry
  }
  return {entries, add}
}

test('what is validated after changes are known is valid until no change was missed', async () => {
  const {entries, add} = await dated()
  const before = await add('before', {validatedAt: 1_000})
  entries.advance(2_000)
  const after = await add('after', {validatedAt: 2_000})
  entries.advance(12_000)
  for (const entry of [before, after]) entries.extend(entry)
  assert.deepEqual([before.validatedAt, after.validatedAt], [1_000, 12_000])
  assert.deepEqual([entries.covers(before), entries.covers(after)], [false, true])
})

test('after a gap, an entry keeps its date until it is compared', async () => {
  const {entries, add} = await dated()
  entries.advance(1_000)
  const entry = await add('shop', {validatedAt: 1_000})
  entries.advance(11_000)
  entries.begin(20_000)
  entries.advance(30_000)
  entries.extend(entry)
  assert.deepEqual([entry.validatedAt, entries.covers(entry)], [11_000, false])
})

test('what changed, or comes from a snapshot, is not covered', async () => {
  const {entries, add} = await dated()
  entries.advance(1_000)
  for (const fields of [{isStale: true}, {fromSnapshot: true}])
    assert.ok(!entries.covers(await add('shop', {validatedAt: 2_000, ...fields})))
})
