import assert from 'node:assert/strict'
import {test} from 'node:test'
import {setImmediate} from 'node:timers/promises'
import {FairQueue} from '../../../../lake/http/limits/fairQueue.ts'
import type {SlicedWork} from '../../../../lake/query/run.ts'

const limits = {perClient: 100, total: 1_000}

/** A clock that only work and pauses move. */
function testClock() {
  let time = 0
  const sleeps: number[] = []
  return {
    sleeps,
    /** Works for so long. */
    spin(milliseconds: number) {
      time += milliseconds
    },
    now: () => time,
    async sleep(milliseconds: number) {
      sleeps.push(milliseconds)
      time += milliseconds
    },
  }
}

/** Work that needs one slice. */
function fast<T>(work: () => T): SlicedWork<T> {
  return {
    atOnce: () => ({value: work()}),
    *inSlices() {
      yield
      return work()
    },
  }
}

/** Work that needs this many slices. */
function slow(slices: number, onSlice: () => void): SlicedWork<void> {
  return {
    atOnce: () => undefined,
    *inSlices() {
      for (let slice = 0; slice < slices; slice++) {
        onSlice()
        yield
      }
    },
  }
}

test('as many queries wait as allowed, and those that have ended make room for others', async () => {
  const turns = new FairQueue({...limits, perClient: 2, total: 3}, testClock())
  const ask = (client: string) =>
    turns.take(
      client,
      fast(() => client),
    )
  for (let round = 0; round < 3; round++) {
    const waiting = [ask('one'), ask('one'), ask('two')]
    await assert.rejects(ask('one'), {statusCode: 429})
    await assert.rejects(ask('three'), {statusCode: 429})
    assert.deepEqual(await Promise.all(waiting), ['one', 'one', 'two'])
    await assert.rejects(
      turns.take(
        'two',
        fast(() => assert.fail('refused')),
      ),
      /refused/,
    )
  }
})

test('timers and requests run between queries, and get as much time as a long one', async () => {
  const clock = testClock()
  const turns = new FairQueue(limits, clock)
  let others = 0
  const spin = () => {
    clock.spin(8)
    setImmediate().then(() => {
      others += 1
    })
  }
  const seen: number[] = []
  const works = Array.from({length: 20}, () => turns.take('a', fast(spin)).then(() => seen.push(others)))
  await Promise.all(works)
  assert.ok((seen.at(-1) ?? 0) >= 18, String(seen))
  assert.deepEqual(clock.sleeps, [])
  await turns.take(
    'a',
    fast(() => clock.spin(30)),
  )
  await turns.take(
    'a',
    fast(() => {}),
  )
  assert.deepEqual(clock.sleeps, [30])
})

test('fast queries do not wait for slow ones, and clients take turns', async () => {
  const clock = testClock()
  const turns = new FairQueue(limits, clock)
  const order: string[] = []
  const note = (name: string) => order.push(name)
  await Promise.all([
    turns
      .take(
        'a',
        slow(50, () => clock.spin(1)),
      )
      .then(() => note('slow')),
    ...[1, 2, 3].map((number) =>
      turns.take(
        'a',
        fast(() => note(`a${number}`)),
      ),
    ),
    ...[1, 2].map((number) =>
      turns.take(
        'b',
        fast(() => note(`b${number}`)),
      ),
    ),
  ])
  assert.deepEqual(order, ['b1', 'a1', 'b2', 'a2', 'a3', 'slow'])
})

test('one slow query is evaluated at a time', async () => {
  const turns = new FairQueue(limits)
  let last = ''
  let changes = 0
  await Promise.all(
    ['a', 'b', 'c'].map((client) =>
      turns.take(
        client,
        slow(10, () => {
          if (last !== client) changes += 1
          last = client
        }),
      ),
    ),
  )
  assert.equal(changes, 3)
})

test('queries of disconnected clients are dropped', async () => {
  const turns = new FairQueue(limits, testClock())
  let isDone = false
  const abandoned = turns.take(
    'b',
    fast(() => {
      isDone = true
    }),
    () => true,
  )
  await assert.rejects(abandoned)
  assert.equal(isDone, false)
})

test('errors of the work reject its promise, and later queries still run', async () => {
  const turns = new FairQueue({...limits, perClient: 2})
  const failing = turns.take(
    'a',
    fast(() => {
      throw new Error('broken')
    }),
  )
  const second = turns.take(
    'a',
    fast(() => 2),
  )
  await assert.rejects(
    turns.take(
      'a',
      fast(() => 3),
    ),
    {statusCode: 429},
  )
  await assert.rejects(failing, /broken/)
  assert.equal(await second, 2)
  await setImmediate() // the queue has stopped running
  assert.equal(
    await turns.take(
      'a',
      fast(() => 4),
    ),
    4,
  )
})
