import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {steadyClock} from '../../service/steadyClock.ts'
import {ageOf, configOf} from '../support/answers.ts'
import {eventually} from '../support/eventually.ts'
import {type House, startHouse} from '../support/house.ts'
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

async function startShop(environment?: NodeJS.ProcessEnv): Promise<House> {
  return startHouse([siteDocument(), toolDocument()], environment)
}

test('after the clock is set back by an hour and an event is lost, the change is still found', async (t) => {
  const house = await startShop()
  t.after(() => house.close())
  await house.config('shop-public')
  house.network.isMuted = true
  await house.client.patch('search').set({description: 'Changed.'}).commit()
  house.pass(-3_600)
  await eventually(
    async () => (await configOf(house.config('shop-public'))).tools[0]?.description,
    (description) => description === 'Changed.',
  )
})

test('while upstream is unavailable, Age keeps rising after the clock was set back', async (t) => {
  const house = await startShop()
  t.after(() => house.close())
  await house.config('shop-public')
  house.network.fault = {kind: 'refuse'}
  house.pass(100)
  await house.config('shop-public')
  house.pass(-3_600)
  const age = ageOf(await house.config('shop-public'))
  assert.ok(age >= 100 && age < 160, `Age: ${age}`)
  house.pass(100)
  assert.ok(ageOf(await house.config('shop-public')) >= 200)
})

test('a snapshot from the future is served as stale until upstream confirms it', async (t) => {
  const house = await startShop()
  t.after(() => house.close())
  const first = await house.replica()
  await first.config('shop-public')
  await first.close()
  house.pass(-3_600)
  house.network.fault = {kind: 'refuse'}
  const second = await house.replica()
  const response = await second.config('shop-public')
  assert.equal(response.status, 200)
  assert.ok(ageOf(response) >= 60, `Age: ${ageOf(response)}`)
  house.network.fault = {kind: 'none'}
  await eventually(
    async () => ageOf(await second.config('shop-public')),
    (age) => age < 10,
  )
})
