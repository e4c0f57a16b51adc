import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {toCsv} from '../../../studio/calls/csv.ts'
import type {Publish, Regression} from '../../../studio/calls/publishes.ts'
import {
  failedText,
  lastDaysText,
  missingText,
  percentileText,
  regressionText,
} from '../../../studio/calls/words.ts'
import {HOUR, hoursOf, NOW} from './hours.ts'

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
    assert.deepEqual(missingText({since: NOW - 48 * HOUR, advice: 'a restart loses them'}), [
      'The service has no counts from before Tuesday, November 24.',
      'Counts may be missing. Tell who runs the service: a restart loses them.',
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
    assert.equal(
      failedText({calls: 80, failed: 3, foundNothing: 0, p50: 50, p95: 50}),
      '3 of 80 calls failed (3.8%)',
    )
  })
})

test('the table for other programs has a row for each hour, tool and outcome, the oldest first', () => {
  const time = Date.UTC(2026, 10, 26, 11)
  const hours = [...hoursOf(time, {ok: 12, error: 3}), ...hoursOf(time - HOUR, {ok: 1}, 'gone', 9)]
  assert.equal(
    toCsv(hours, new Map([['cart', 'addToCart']])),
    [
      'hour,tool,tool ID,outcome,calls,up to 50 ms,up to 100 ms,up to 250 ms,up to 500 ms,up to 1 s,up to 2.5 s,up to 5 s,up to 10 s,up to 25 s,longer',
      '2026-11-26T10:00:00.000Z,,gone,ok,1,0,0,0,0,0,0,0,0,0,1',
      '2026-11-26T11:00:00.000Z,addToCart,cart,ok,12,0,0,12,0,0,0,0,0,0,0',
      '2026-11-26T11:00:00.000Z,addToCart,cart,error,3,0,0,3,0,0,0,0,0,0,0',
      '',
    ].join('\r\n'),
  )
})

test('no cell of the table is a formula, or ends early', () => {
  const names = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', 'a,b', 'say "hi"', 'two\nlines', '=A1,"x"']
  const cells = names.map((name) => {
    const [, row = ''] = toCsv(hoursOf(0, {ok: 1}), new Map([['cart', name]])).split('Z,')
    return row.slice(0, row.indexOf(',cart,ok'))
  })
  assert.deepEqual(cells, [
    "'=1+1",
    "'+1",
    "'-1",
    "'@SUM(A1)",
    "'\t=1",
    '"a,b"',
    '"say ""hi"""',
    '"two\nlines"',
    '"\'=A1,""x"""',
  ])
})
