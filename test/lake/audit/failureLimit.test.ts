import assert from 'node:assert/strict'
import {test} from 'node:test'
import {FailureLimit} from '../../../lake/audit/failureLimit.ts'

const MINUTES = 60_000

test('a flood that goes on for days is recorded less and less, and another one after it in full', (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const reported: number[] = []
  const limit = new FailureLimit((omitted) => reported.push(omitted))
  const admittedOf = (attempts: number, account?: string) =>
    Array.from({length: attempts}, () => limit.admit(account)).filter(Boolean).length
  const windows = Array.from({length: 50}, () => {
    const counts = [admittedOf(100), admittedOf(3, 'ada')]
    t.mock.timers.tick(10 * MINUTES)
    return counts
  })
  assert.deepEqual(windows.map(([unknown]) => unknown).slice(0, 7), [20, 10, 5, 2, 1, 1, 1])
  assert.ok(windows.every(([, known]) => known === 3))
  assert.equal(windows.at(-1)?.[0], 1)
  assert.deepEqual(reported.slice(0, 2), [80, 90])
  t.mock.timers.tick(20 * MINUTES)
  assert.equal(admittedOf(100), 20)
  limit.end()
})
