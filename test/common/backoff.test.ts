import assert from 'node:assert/strict'
import {test} from 'node:test'
import {backoffDelay, parseRetryAfter} from '../../common/backoff.ts'

test('Retry-After is a number of seconds or a date, and anything else is no delay', () => {
  const now = Date.parse('2026-11-25T12:00:00Z')
  for (const [field, milliseconds] of [
    ['120', 120_000],
    [' 2 ', 2_000],
    ['Wed, 25 Nov 2026 12:00:05 GMT', 5_000],
    ['Wed, 25 Nov 2026 11:00:00 GMT', undefined],
    ['0', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ] as const)
    assert.equal(parseRetryAfter(field, now), milliseconds, String(field))
})

test('the delay doubles with each failure up to the longest, and up to half of it is random', () => {
  const limits = {first: 1_000, longest: 60_000}
  for (const [failures, whole] of [
    [1, 1_000],
    [2, 2_000],
    [5, 16_000],
    [6, 32_000],
    [7, 60_000],
    [50, 60_000],
  ] as const) {
    const delays = Array.from({length: 50}, () => backoffDelay(failures, limits))
    const isWithin = (delay: number) => delay >= whole / 2 && delay <= whole
    assert.ok(delays.every(isWithin), `${failures} failures: ${delays.join(', ')}`)
    assert.ok(new Set(delays).size > 1, 'random')
  }
})
