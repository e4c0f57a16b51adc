import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import fc from 'fast-check'
import {type CallsReport, DURATION_BOUNDS, OUTCOMES} from '../../../schemas/calls/counts.ts'
import {BUCKETS, DAYS, lastDays, parseCalls} from '../../../studio/calls/report.ts'
import {callsByDay, callsByTool, callsIn, percentile, toCsv, totalsOf} from '../../../studio/calls/summary.ts'
import {runs} from '../../runner/runs.ts'
import {HOUR, hoursOf, NOW} from './hours.ts'

const TOOLS = ['a', 'b', 'c'].map((id) => ({id, type: 'tool', name: id.toUpperCase()}))

const hour = fc.record({
  hour: fc.integer({min: 0, max: (DAYS + 2) * 24}).map((ago) => new Date(NOW - ago * HOUR).toISOString()),
  tool: fc.constantFrom(...TOOLS.map(({id}) => id)),
  outcome: fc.constantFrom(...OUTCOMES),
  durations: fc.array(fc.nat(50), {minLength: BUCKETS, maxLength: BUCKETS}),
})
const reportOf = (hours: CallsReport['hours'], since?: number): CallsReport => ({
  now: new Date(NOW).toISOString(),
  isOn: true,
  ...(since !== undefined && {since: new Date(since).toISOString()}),
  hours,
  errors: [],
})
const report = fc.array(hour).map((hours) => parseCalls(reportOf(hours)))

test('the calls of all days, and those of all tools, add up to those of the site', () => {
  fc.assert(
    fc.property(report, ({hours, now}) => {
      const all = totalsOf(hours)
      assert.equal(
        all.calls,
        hours.reduce((sum, one) => sum + callsIn(one), 0),
      )
      for (const parts of [callsByDay(hours, now), callsByTool(TOOLS, hours)]) {
        assert.equal(
          parts.reduce((sum, {calls}) => sum + calls, 0),
          all.calls,
        )
        assert.equal(
          parts.reduce((sum, {failed}) => sum + failed, 0),
          all.failed,
        )
      }
    }),
    {numRuns: runs(2_000)},
  )
})

test('a percentile lies in the bucket that has it, whatever the exact durations were', () => {
  const durations = fc.array(fc.integer({min: 1, max: 40_000}), {minLength: 1, maxLength: 200})
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95), (exact, share) => {
      const buckets: number[] = new Array(BUCKETS).fill(0)
      const bucketOf = (duration: number) => {
        const found = DURATION_BOUNDS.findIndex((bound) => duration <= bound)
        return found === -1 ? BUCKETS - 1 : found
      }
      for (const duration of exact) buckets[bucketOf(duration)] = (buckets[bucketOf(duration)] ?? 0) + 1
      const value = exact.toSorted((a, b) => a - b)[Math.ceil(exact.length * share) - 1] ?? 0
      assert.equal(percentile(buckets, share), DURATION_BOUNDS[bucketOf(value)] ?? Number.POSITIVE_INFINITY)
    }),
    {numRuns: runs(2_000)},
  )
})

describe('totals', () => {
  test('count errors and refused calls as failed, and time only calls that a tool worked on', () => {
    const hours = [
      ...hoursOf(NOW, {ok: 10, error: 2}, 'cart', 1),
      ...hoursOf(NOW, {refused: 3, declined: 50, cancelled: 50}, 'cart', 9),
    ]
    assert.deepEqual(totalsOf(hours), {calls: 115, failed: 5, foundNothing: 0, p50: 100, p95: 100})
  })

  test('have no percentiles without calls', () => {
    assert.deepEqual(totalsOf([]), {calls: 0, failed: 0, foundNothing: 0, p50: undefined, p95: undefined})
  })
})

test('days begin at midnight where the person is, and the last one is today', () => {
  const starts = lastDays(NOW)
  assert.equal(starts.length, DAYS)
  assert.equal(starts.at(-1), new Date(2026, 10, 26).getTime())
  assert.equal(starts[0], new Date(2026, 9, 28).getTime())
  const days = callsByDay([...hoursOf((starts[0] ?? 0) + 23 * HOUR, {ok: 7}), ...hoursOf(NOW, {ok: 1})], NOW)
  assert.deepEqual([days[0]?.calls, days[1]?.calls, days.at(-1)?.calls], [7, 0, 1])
})

describe('a report', () => {
  const durations = [1, 2]

  test('has a time of the first count only if it is within the days, and no hour is earlier', () => {
    const [start = 0] = lastDays(NOW)
    const hour = {
      hour: new Date(NOW - 48 * HOUR).toISOString(),
      tool: 'cart',
      outcome: 'ok',
      durations,
    } as const
    const sinceOf = (since: number, ...hours: CallsReport['hours']) =>
      parseCalls(reportOf(hours, since)).since
    assert.deepEqual(
      [sinceOf(start - 1), sinceOf(NOW - HOUR), sinceOf(NOW - 47.5 * HOUR, hour), sinceOf(NOW - HOUR, hour)],
      [undefined, NOW - HOUR, NOW - 47.5 * HOUR, undefined],
    )
  })

  test('loses hours before the first day', () => {
    const [start = 0] = lastDays(NOW)
    const hours = [start - HOUR, start, NOW].map((time) => ({
      hour: new Date(time).toISOString(),
      tool: 'cart',
      outcome: 'ok' as const,
      durations,
    }))
    assert.deepEqual(
      parseCalls(reportOf(hours)).hours.map(({time}) => time),
      [start, NOW],
    )
  })
})

test('the table for other programs has a row for each hour, tool and outcome, the oldest first, and no formula', () => {
  const time = Date.UTC(2026, 10, 26, 11)
  const hours = [...hoursOf(time, {ok: 12}, '=1"'), ...hoursOf(time - HOUR, {error: 1}, 'a', 9)]
  assert.equal(
    toCsv(hours, [...TOOLS, {id: '=1"', type: '', name: '=1"'}]),
    [
      'hour,tool,outcome,calls,up to 50 ms,up to 100 ms,up to 250 ms,up to 500 ms,up to 1000 ms,up to 2500 ms,up to 5000 ms,up to 10000 ms,up to 25000 ms,longer',
      '2026-11-26T10:00:00.000Z,"A",error,1,0,0,0,0,0,0,0,0,0,1',
      '2026-11-26T11:00:00.000Z,"\'=1""",ok,12,0,0,12,0,0,0,0,0,0,0',
      '',
    ].join('\r\n'),
  )
})
