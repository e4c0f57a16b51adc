import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Entry} from '../../../service/cache/entries.ts'
import {Freshness} from '../../../service/cache/freshness.ts'
import {entryOf} from '../support/entries.ts'

async function world() {
  const entries: Entry[] = []
  let time = 1_000
  const freshness = new Freshness({all: () => entries.values()}, () => time)
  return {
    freshness,
    pass: (seconds: number) => {
      time += seconds * 1_000
    },
    async add(fields: Partial<Entry> = {}): Promise<Entry> {
      const entry = {...(await entryOf('shop', null)), validatedAt: time, ...fields}
      entries.push(entry)
      return entry
    },
    age(entry: Entry): number {
      freshness.extend(entry)
      return (time - entry.validatedAt) / 1_000
    },
  }
}

test('what is validated after the stream has connected is valid as of its last sign of life', async () => {
  const {freshness, pass, add, age} = await world()
  const before = await add()
  freshness.begin(true)
  pass(1)
  const after = await add()
  pass(10)
  assert.ok(freshness.signOfLife())
  pass(4)
  assert.deepEqual([age(before), age(after)], [15, 4])
  assert.deepEqual([freshness.covers(before), freshness.covers(after)], [false, true])
})

test('when the stream ends, ages count from its last sign of life', async () => {
  const {freshness, pass, add, age} = await world()
  freshness.begin(true)
  pass(1)
  const entry = await add()
  pass(10)
  freshness.signOfLife()
  pass(5)
  freshness.begin(false)
  assert.ok(!freshness.isLive)
  pass(60)
  freshness.signOfLife()
  assert.equal(age(entry), 65)
  freshness.begin(true)
  pass(1)
  assert.equal(age(entry), 66, 'until it is compared')
})

test('a sign of life after a long silence is not one', async () => {
  const {freshness, pass, add, age} = await world()
  freshness.begin(true)
  pass(1)
  const entry = await add()
  pass(31)
  assert.ok(!freshness.signOfLife())
  assert.equal(age(entry), 31)
})

test('what changed, or comes from a snapshot, is not covered', async () => {
  const {freshness, pass, add} = await world()
  freshness.begin(true)
  pass(1)
  assert.ok(!freshness.covers(await add({isStale: true})))
  assert.ok(!freshness.covers(await add({fromSnapshot: true})))
})

test('a stream that is distrusted covers nothing until the time is over, and then what was validated since', async () => {
  const {freshness, pass, add, age} = await world()
  freshness.begin(true)
  freshness.distrust(60_000)
  pass(1)
  const meanwhile = await add()
  assert.ok(!freshness.isLive && !freshness.covers(meanwhile))
  for (let beat = 0; beat < 3; beat++) {
    pass(20)
    freshness.signOfLife()
  }
  assert.ok(freshness.isLive && !freshness.covers(meanwhile))
  const after = await add()
  pass(1)
  freshness.signOfLife()
  assert.deepEqual([age(meanwhile), age(after)], [61, 0])
})
