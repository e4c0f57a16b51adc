import assert from 'node:assert/strict'
import {test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {NotKeptError} from '../../../content/drafts/notKept.ts'
import {MACHINE_CLOCK, ReleaseSchedule} from '../../../lake/releases/releaseSchedule.ts'
import {refuse} from '../../../lake/write/errors.ts'
import type {Request} from '../../../lake/write/request.ts'
import {eventually} from '../../support/eventually.ts'
import {listeningLog} from '../../support/log.ts'
import {storeOf} from '../support/documents.ts'

const NOON = Date.parse('2027-03-28T12:00:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const scheduled = (name: string, at: number) => ({
  _id: `_.releases.${name}`,
  _type: 'system.release',
  name,
  state: 'scheduled',
  metadata: {title: name},
  publishAt: new Date(at).toISOString(),
  scheduledBy: {id: 'e-ada', name: 'Ada', email: 'ada@example.com'},
})

type Options = {
  /** What a transaction that publishes is refused with, or fails with. */
  readonly fail?: (release: string) => Error | undefined
  /** The same of one that says why a release was not published. */
  readonly failTwice?: () => Error | undefined
}

/** A schedule at a time, and what it does. It started ten minutes ago. */
function scheduleAt(time: number, releases: ReturnType<typeof scheduled>[], {fail, failTwice}: Options = {}) {
  const done: string[] = []
  const {log, lines} = listeningLog()
  const clock = {monotonic: 0, step: 0}
  const schedule = new ReleaseSchedule({
    store: storeOf(...releases),
    transact: async (request: Request) => {
      const [action] = 'actions' in request ? request.actions : []
      assert.ok(action?.kind === 'release.publish' || action?.kind === 'release.fail')
      assert.equal(action.publishAt, releases.find(({name}) => name === action.release)?.publishAt)
      const reason = action.kind === 'release.fail' ? `: ${action.reason}` : ''
      done.push(`${request.principal.id} ${action.kind} ${action.release}${reason}`)
      const error = reason === '' ? fail?.(action.release) : failTwice?.()
      if (error !== undefined) throw error
    },
    logger: log,
    clock: {
      now: () => time - 10 * MINUTE + clock.monotonic + clock.step,
      monotonic: () => clock.monotonic,
    },
  })
  clock.monotonic = 10 * MINUTE
  return {
    done,
    schedule,
    clock,
    logged: () => lines.filter(({level}) => level === 50).map(({msg}) => msg),
  }
}

test('what is due is published as the person who scheduled it, the earliest first', async () => {
  const {done, schedule} = scheduleAt(NOON, [
    scheduled('rB', NOON),
    scheduled('rA', NOON - 5_000),
    scheduled('rC', NOON + 1),
  ])
  await schedule.publishDue()
  assert.deepEqual(done, ['e-ada release.publish rA', 'e-ada release.publish rB'])
})

test('a clock that is set publishes nothing and cancels nothing until it is steady', async () => {
  for (const step of [-DAY, 2 * HOUR, 365 * DAY]) {
    const {done, schedule, clock} = scheduleAt(NOON, [scheduled('rA', NOON + HOUR)])
    clock.step = step
    await schedule.publishDue()
    clock.monotonic += 9 * MINUTE
    await schedule.publishDue()
    // Corrected: that is a step, too.
    clock.step = 0
    await schedule.publishDue()
    clock.monotonic += 9 * MINUTE
    await schedule.publishDue()
    assert.deepEqual(done, [], `${step}`)
    clock.monotonic += HOUR
    await schedule.publishDue()
    assert.deepEqual(done, ['e-ada release.publish rA'], `${step}`)
  }
})

test('a correction of the clock by seconds delays nothing', async () => {
  const {done, schedule, clock} = scheduleAt(NOON - 5_000, [scheduled('rA', NOON)])
  clock.step = 5_000
  await schedule.publishDue()
  assert.deepEqual(done, ['e-ada release.publish rA'])
})

test('what was due within a day before the start is published, and older ones wait for a person', async () => {
  const {done, schedule, clock} = scheduleAt(NOON, [
    scheduled('rOld', NOON - DAY - 1),
    scheduled('rYesterday', NOON - DAY + 1),
  ])
  await schedule.publishDue()
  assert.deepEqual(done, [
    'e-ada release.fail rOld: It was to be published at 2027-03-27T11:59:59.999Z, when the lake was not running. Publish it now, or schedule it again',
    'e-ada release.publish rYesterday',
  ])
  done.length = 0
  // The machine may not have the right time yet when it starts.
  const early = scheduleAt(NOON, [scheduled('rOld', NOON - 2 * DAY)])
  early.clock.monotonic -= 1
  await early.schedule.publishDue()
  assert.deepEqual(early.done, [])
  assert.ok(clock.step === 0)
})

test('a refusal ends the schedule with its reason, and stops no other release', async () => {
  const {done, schedule} = scheduleAt(NOON, [scheduled('rA', NOON - 1), scheduled('rB', NOON)], {
    fail: (name) => (name === 'rA' ? refuse.valueTaken('a', 'Taken') : undefined),
  })
  await schedule.publishDue()
  assert.deepEqual(done, [
    'e-ada release.publish rA',
    'e-ada release.fail rA: Taken',
    'e-ada release.publish rB',
  ])
})

test('a release that a person unscheduled meanwhile is left alone', async () => {
  const {done, schedule, logged} = scheduleAt(NOON, [scheduled('rA', NOON - 1), scheduled('rB', NOON)], {
    fail: (name) => (name === 'rA' ? refuse.releaseState('rA', 'A', 'active') : undefined),
    failTwice: () => refuse.releaseState('rA', 'A', 'active'),
  })
  await schedule.publishDue()
  assert.equal(done.at(-1), 'e-ada release.publish rB')
  assert.deepEqual(logged(), [])
})

test('what cannot be written is tried again, and logged once until it is another problem', async () => {
  for (const step of ['publish', 'fail']) {
    let error: Error | undefined = new NotKeptError('full')
    const {schedule, done, logged} = scheduleAt(NOON, [scheduled('rA', NOON - 1), scheduled('rB', NOON)], {
      fail: (name) =>
        name === 'rB' ? undefined : step === 'publish' ? error : refuse.valueTaken('a', 'Taken'),
      failTwice: () => error,
    })
    const look = async () => {
      await schedule.publishDue()
      assert.equal(done.at(-1), 'e-ada release.publish rB')
    }
    await look()
    await look()
    assert.deepEqual(logged(), ['cannot publish a scheduled release yet'], step)
    error = new Error('damaged')
    await look()
    assert.equal(logged().length, 2)
    // Afterwards, the same problem is a new one.
    error = undefined
    await look()
    error = new NotKeptError('full')
    await look()
    assert.equal(logged().filter((text) => text === 'cannot publish a scheduled release yet').length, 3)
  }
})

test('the schedule looks at the clock by itself, one look at a time, and outlives a look that fails', async () => {
  let looks = 0
  const {log, lines} = listeningLog()
  const schedule = new ReleaseSchedule({
    store: storeOf(),
    transact: () => assert.fail(),
    logger: log,
    clock: {
      ...MACHINE_CLOCK,
      now() {
        looks += 1
        if (looks > 1) throw new Error('unreadable')
        return 0
      },
    },
  })
  schedule.start(1)
  await eventually(() => looks > 3, true)
  await schedule.stop()
  assert.equal(lines[0]?.msg, 'scheduled releases cannot be looked at')
  const then = looks
  await setTimeout(5)
  assert.equal(looks, then)
})
