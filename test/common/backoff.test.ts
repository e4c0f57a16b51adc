import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parseRetryAfter} from '../../common/backoff.ts'

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
