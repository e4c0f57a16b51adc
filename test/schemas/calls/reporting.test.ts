import assert from 'node:assert/strict'
import {test} from 'node:test'
import {isNothing} from '../../../schemas/calls/counts.ts'
import {reportingOf} from '../../../schemas/calls/reporting.ts'

test('pages report only if the site says so, and later if it cannot be read whether they need consent', () => {
  for (const reportCalls of [undefined, null, false, 'true', 1])
    assert.equal(reportingOf({reportCalls, reportAfterConsent: false}), 'off')
  for (const reportAfterConsent of [undefined, null, false])
    assert.equal(reportingOf({reportCalls: true, reportAfterConsent}), 'on')
  for (const reportAfterConsent of [true, 'no', 0])
    assert.equal(reportingOf({reportCalls: true, reportAfterConsent}), 'afterConsent')
})

test('only empty lists, and zeros with them, are nothing; what JSON cannot hold is something', () => {
  const own: Record<string, unknown> = {}
  own.itself = own
  for (const result of [[], {found: 0}, {products: [], total: 0}]) assert.equal(isNothing(result), true)
  for (const result of [{}, {total: 0}, {products: [[]]}, {count: 1n}, own])
    assert.equal(isNothing(result), false)
})
