import assert from 'node:assert/strict'
import {test} from 'node:test'
import {setImmediate} from 'node:timers/promises'
import {FairQueue} from '../../../../lake/http/limits/fairQueue.ts'

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

test('as many queries wait as allowed, and those that have ended make room for others', async () => {
  const turns = new FairQueue({...limits, perClient: 2, total: 3}, testClock())
  const ask = (client: string) => turns.take(client, () => client)
  for (let round = 0; round < 3; round++) {
    const waiting = [ask('one'), ask('one'), ask('two')]
    await assert.rejects(ask('one'), {statusCode: 429})
    await assert.rejects(ask('three'), {statusCode: 429})
    assert.deepEqual(await Promise.all(waiting), ['one', 'one', 'two'])
    await assert.rejects(
      turns.take('two', () => assert.fail('refused')),
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
    return true
  }
  const seen: number[] = []
  const works = Array.from({length: 20}, () => turns.take('a', spin).then(() => seen.push(others)))
  await Promise.all(works)
  assert.ok((seen.at(-1) ?? 0) >= 18, String(seen))
  assert.deepEqual(clock.sleeps, [])
  await turns.take('a', () => {
    clock.spin(30)
    return true
  })
  await turns.take('a', () => true)
  assert.deepEqual(clock.sleeps, [30])
})

test('clients take turns', async () => {
  const turns = new FairQueue(limits, testClock())
  const order: string[] = []
  const ask = (client: string, number: number) => turns.take(client, () => order.push(client + number))
  await Promise.all([
    ...[1, 2, 3].map((number) => ask('a', number)),
    ...[1, 2].map((number) => ask('b', number)),
  ])
  assert.deepEqual(order, ['a1', 'b1', 'a2', 'b2', 'a3'])
})

test('queries of disconnected clients are dropped', async () => {
  const turns = new FairQueue(limits, testClock())
  let isDone = false
  const abandoned = turns.take(
    'b',
    () => {
      isDone = true
      return isDone
    },
    () => true,
  )
  await assert.rejects(abandoned)
  assert.equal(isDone, false)
})

test('errors of the work reject its promise, and later queries still run', async () => {
  const turns = new FairQueue({...limits, perClient: 2})
  const failing = turns.take('a', () => {
    throw new Error('broken')
  })
  const second = turns.take('a', () => 2)
  await assert.rejects(
    turns.take('a', () => 3),
    {statusCode: 429},
  )
  await assert.rejects(failing, /broken/)
  assert.equal(await second, 2)
  await setImmediate() // the queue has stopped running
  assert.equal(await turns.take('a', () => 4), 4)
})
