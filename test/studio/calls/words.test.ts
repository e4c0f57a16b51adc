import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import type {Publish, Regression} from '../../../studio/calls/publishes.ts'
import {lastDaysText, missingText, percentileText, regressionText} from '../../../studio/calls/words.ts'
import {HOUR, NOW} from './hours.ts'

const publish = (commit: string, author = 'Ada Lovelace'): Publish => ({
  commit,
  author,
  time: NOW - 48 * HOUR,
  tools: ['cart'],
})

describe('Studio says', () => {
  test('since which publish more calls fail', () => {
    const words = (...publishes: Regression['publishes']) =>
      regressionText({tool: 'cart', publishes, before: 0.0101, after: 0.142}, 'addToCart', NOW)
    const went = 'errors of addToCart went from 1% to 14%.'
    assert.equal(words(publish('abc1234def')), `Since abc1234 (Ada Lovelace, Tuesday), ${went}`)
    assert.equal(
      words(publish('0'), publish('1'), publish('abc1234def', '')),
      `Since abc1234 and 2 publishes shortly before (Tuesday), ${went}`,
    )
    assert.equal(words(publish('', '')), `Since its last publish (Tuesday), ${went}`)
  })

  test('what the numbers lack', () => {
    assert.deepEqual(missingText({since: NOW - 48 * HOUR}), [
      'The service has no counts from before Tuesday, November 24.',
    ])
    assert.deepEqual(missingText({}), [])
  })

  test('percentiles as bounds', () => {
    assert.deepEqual([50, 2_500, 25_000, Number.POSITIVE_INFINITY, undefined].map(percentileText), [
      '≤ 50 ms',
      '≤ 2.5 s',
      '≤ 25 s',
      '> 25 s',
      '',
    ])
  })

  test('sums', () => {
    assert.equal(
      lastDaysText({calls: 1_234, failed: 12, foundNothing: 30, p50: 100, p95: 2_500}),
      'In the last 30 days: 1,234 calls, 12 failed, 30 found nothing, half took ≤ 100 ms, 95% ≤ 2.5 s',
    )
    assert.equal(
      lastDaysText({calls: 1, failed: 0, foundNothing: 0, p50: undefined, p95: undefined}),
      'In the last 30 days: 1 call, none failed',
    )
  })
})
