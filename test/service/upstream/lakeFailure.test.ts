import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ClientError, ServerError} from '@sanity/client'
import {messagesIn, retryAfterOf} from '../../../service/upstream/upstreamFailure.ts'

function answered(statusCode: number, retryAfter?: string): Error {
  const response = {
    statusCode,
    statusMessage: null,
    headers: retryAfter === undefined ? {} : {'retry-after': retryAfter},
    body: {},
    url: '/',
    method: 'GET',
  }
  return statusCode < 500 ? new ClientError(response) : new ServerError(response)
}

const now = Date.parse('2026-01-01T00:00:00Z')

for (const [what, error, expected] of [
  ['seconds', answered(429, '30'), 30_000],
  ['seconds, while the server is unavailable', answered(503, '2'), 2_000],
  ['a date', answered(429, 'Thu, 01 Jan 2026 00:01:00 GMT'), 60_000],
  ['a date in the past', answered(429, 'Wed, 31 Dec 2025 00:00:00 GMT'), undefined],
  ['no value', answered(429, '0'), undefined],
  ['an unknown format', answered(429, 'soon'), undefined],
  ['nothing', answered(429), undefined],
  ['seconds after another failure', answered(500, '30'), undefined],
  ['nothing, because no response came', new TypeError('fetch failed'), undefined],
] as const) {
  test(`Retry-After with ${what}: ${expected ?? 'nothing'}`, () => {
    assert.equal(retryAfterOf(error, now), expected)
  })
}

test('a reason names the failure and its cause', () => {
  const refused = Object.assign(new AggregateError([]), {code: 'ECONNREFUSED'})
  const failed = new TypeError('fetch failed', {cause: refused})
  assert.equal(
    messagesIn(new Error('The content lake returned no usable response.', {cause: failed})),
    'The content lake returned no usable response: fetch failed: ECONNREFUSED',
  )
})
