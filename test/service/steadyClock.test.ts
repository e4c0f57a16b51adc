import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {steadyClock} from '../../service/steadyClock.ts'
import {configOf} from '../support/answers.ts'
import {eventually} from '../support/eventually.ts'
import {runHouse} from '../support/house.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'

/** How often the clock looks by itself, in milliseconds. */
const CHECK_EVERY = 20

/** A system clock that only tests move, in seconds. */
function settable(t: TestContext) {
  let time = 1_000_000
  let setBack = 0
  let reads = 0
  const systemClock = () => {
    reads++
    return time
  }
  const {now, stop} = steadyClock(systemClock, () => setBack++, CHECK_EVERY)
  t.after(stop)
  return {
    clock: now,
    set: (seconds: number) => {
      time += seconds * 1_000
    },
    timesSetBack: () => setBack,
    /** Waits until the clock has looked by itself. */
    async checked(): Promise<void> {
      const before = reads
      await eventually(
        async () => reads,
        (now) => now > before,
      )
    },
  }
}

test('a clock that is set back continues from where it was, and this is reported once', (t) => {
  const {clock, set, timesSetBack} = settable(t)
  const before = clock()
  set(-3_600)
  assert.equal(clock(), before)
  set(1)
  assert.equal(clock(), before + 1_000)
  assert.equal(timesSetBack(), 1)
  set(-7_200)
  assert.equal(clock(), before + 1_000)
  assert.equal(timesSetBack(), 2)
})

test('a clock that jumps ahead, as after waking from suspend, makes everything older', (t) => {
  const {clock, set, timesSetBack} = settable(t)
  const before = clock()
  set(3_600)
  assert.equal(clock() - before, 3_600_000)
  set(-3_600)
  assert.equal(clock() - before, 3_600_000, 'it stays stale')
  assert.equal(timesSetBack(), 1)
})

test('a step back is detected even if the time was not read before it', async (t) => {
  const {set, timesSetBack, checked} = settable(t)
  set(3_600)
  await checked()
  set(-3_600)
  await checked()
  assert.equal(timesSetBack(), 1)
})

test('a correction of less than a second is ignored', (t) => {
  const {clock, set, timesSetBack} = settable(t)
  const before = clock()
  set(-0.5)
  assert.equal(clock(), before)
  assert.equal(timesSetBack(), 0)
})

test('after the clock is set back by an hour and an event is lost, the change is still found', async (t) => {
  const house = await runHouse(t, [siteDocument(), toolDocument()])
  await house.config('shop-public')
  house.network.isMuted = true
  await house.client.patch('search').set({description: 'Changed.'}).commit()
  house.pass(-3_600)
  await eventually(
    async () => (await configOf(house.config('shop-public'))).tools[0]?.description,
    'Changed.',
  )
})
