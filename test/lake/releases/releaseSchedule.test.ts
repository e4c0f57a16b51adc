import assert from 'node:assert/strict'
import {test} from 'node:test'
import {NotKeptError} from '../../../content/drafts/notKept.ts'
import {ReleaseSchedule} from '../../../lake/releases/releaseSchedule.ts'
import {refuse} from '../../../lake/write/errors.ts'
import type {Request} from '../../../lake/write/request.ts'
import {listeningLog} from '../../support/log.ts'
import {storeOf} from '../support/documents.ts'

const NOON = Date.parse('2027-03-28T12:00:00Z')
const DAY = 86_400_000

const scheduled = (name: string, at: number) => ({
  _id: `_.releases.${name}`,
  _type: 'system.release',
  name,
  state: 'scheduled',
  metadata: {title: name},
  publishAt: new Date(at).toISOString(),
  scheduledBy: {id: 'e-ada', name: 'Ada', email: 'ada@example.com'},
})

/** A schedule at a time, and what it does. */
function scheduleAt(
  now: number,
  releases: ReturnType<typeof scheduled>[],
  fail?: () => Error,
  mayWrite = true,
) {
  const done: string[] = []
  const schedule = new ReleaseSchedule({
    store: storeOf(...releases),
    transact: async (request: Request) => {
      const [action] = 'actions' in request ? request.actions : []
      assert.ok(action !== undefined && 'release' in action)
      const reason = action.kind === 'release.fail' ? `: ${action.reason}` : ''
      done.push(`${request.principal.id} ${action.kind} ${action.release}${reason}`)
      if (fail !== undefined && reason === '') throw fail()
      return {transactionId: 't', effects: [], documents: new Map()}
    },
    mayWrite: () => mayWrite,
    logger: listeningLog().log,
    now: () => now,
  })
  return {done, schedule}
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

test('a clock that is set back, or a standby, publishes nothing', async () => {
  const early = scheduleAt(NOON - DAY, [scheduled('rA', NOON)])
  await early.schedule.publishDue()
  const standby = scheduleAt(NOON + 1, [scheduled('rA', NOON)], undefined, false)
  await standby.schedule.publishDue()
  assert.deepEqual([...early.done, ...standby.done], [])
})

test('what was due within a day before the start is published, and older ones wait for a person', async () => {
  const {done, schedule} = scheduleAt(NOON, [
    scheduled('rOld', NOON - DAY - 1),
    scheduled('rYesterday', NOON - DAY + 1),
  ])
  await schedule.publishDue()
  assert.deepEqual(done, [
    'e-ada release.fail rOld: It was to be published at 2027-03-27T11:59:59.999Z, when the lake was not running. Publish it now, or schedule it again',
    'e-ada release.publish rYesterday',
  ])
})

test('a refusal ends the schedule with its reason, a full disk does not', async () => {
  const refused = scheduleAt(NOON, [scheduled('rA', NOON)], () => refuse.valueTaken('a', 'Taken'))
  await refused.schedule.publishDue()
  assert.deepEqual(refused.done, ['e-ada release.publish rA', 'e-ada release.fail rA: Taken'])
  const full = scheduleAt(NOON, [scheduled('rA', NOON)], () => new NotKeptError('full'))
  await full.schedule.publishDue()
  await full.schedule.publishDue()
  assert.deepEqual(full.done, ['e-ada release.publish rA', 'e-ada release.publish rA'])
})
