import assert from 'node:assert/strict'
import {test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {FairQueue} from '../../../../lake/http/limits/fairQueue.ts'
import type {SlicedWork} from '../../../../lake/query/run.ts'

const limits = {share: 1, perClient: 100, total: 1_000}

/** Uses up processor time. */
function spin(milliseconds: number): void {
  const start = process.cpuUsage()
  const used = () => {
    const {user, system} = process.cpuUsage(start)
    return (user + system) / 1_000
  }
  while (used() < milliseconds);
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

test('all clients together use no more than their share of processor time', async () => {
  const turns = new FairQueue({...limits, share: 0.5})
  const start = performance.now()
  let used = 0
  await Promise.all(
    Array.from({length: 40}, (_, client) =>
      turns.take(
        `client ${client}`,
        fast(() => {
          const begun = performance.now()
          spin(8)
          used += performance.now() - begun
        }),
      ),
    ),
  )
  const share = used / (performance.now() - start)
  assert.ok(share < 0.6, `${share}`)
})

test('timers and requests run between queries', async () => {
  const turns = new FairQueue(limits)
  let ticks = 0
  const timer = setInterval(() => {
    ticks += 1
  }, 1)
  await Promise.all(
    Array.from({length: 20}, () =>
      turns.take(
        'a',
        fast(() => spin(8)),
      ),
    ),
  )
  clearInterval(timer)
  assert.ok(ticks >= 10, `${ticks}`)
})

test('fast queries do not wait for slow ones, and clients take turns', async () => {
  const turns = new FairQueue(limits)
  const order: string[] = []
  const note = (name: string) => order.push(name)
  await Promise.all([
    turns
      .take(
        'a',
        slow(50, () => spin(1)),
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

test('slow queries are rejected for the rest of a minute, and queries of disconnected clients are dropped', async () => {
  const turns = new FairQueue({...limits, allowance: 30, free: 1})
  await turns.take(
    'a',
    slow(5, () => spin(10)),
  )
  await assert.rejects(
    turns.take(
      'a',
      fast(() => 1),
    ),
    {statusCode: 429},
  )
  assert.equal(
    await turns.take(
      'b',
      fast(() => 1),
    ),
    1,
  )
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
  await setTimeout(10)
  assert.equal(
    await turns.take(
      'a',
      fast(() => 4),
    ),
    4,
  )
})
