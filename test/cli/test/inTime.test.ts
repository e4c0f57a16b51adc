import assert from 'node:assert/strict'
import {test} from 'node:test'
import {inTime} from '../../../cli/test/inTime.ts'
import {judge} from '../../../verdicts/judge.ts'

const EVIL = '^(a+)+$'

const call = {outcome: {kind: 'result', value: `${'a'.repeat(45)}!`}, milliseconds: 1} as const

test('a pattern that backtracks without end is given up, in an expectation and in an output schema', () => {
  const expect = [{kind: 'matches', member: '', value: EVIL}] as const
  assert.equal(
    inTime(50, () => judge(expect, call, {readsOnly: true})),
    undefined,
  )
  const outputSchema = {type: 'string', pattern: EVIL}
  assert.equal(
    inTime(50, () => judge([], call, {readsOnly: true, outputSchema})),
    undefined,
  )
})

test('what ends in time has its result, or its error', () => {
  assert.equal(
    inTime(1_000, () => 5),
    5,
  )
  assert.throws(
    () =>
      inTime(1_000, () => {
        throw new RangeError('no')
      }),
    RangeError,
  )
})
