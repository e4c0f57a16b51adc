import assert from 'node:assert/strict'
import test from 'node:test'
import {acceptedEncodings} from '../../../common/http/acceptedEncodings.ts'

test('Accept-Encoding, RFC 9110 §12.5.3', async (t) => {
  const rows: [field: string | undefined, accepted: string, why: string][] = [
    [
      undefined,
      'identity br gzip',
      'without the field every encoding is accepted, and identity is the safest',
    ],
    ['', 'identity', 'an empty field accepts identity only'],
    ['gzip, deflate, br, zstd', 'br gzip identity', 'what Chromium sends'],
    ['gzip, deflate', 'gzip identity', 'what browsers send over plain HTTP'],
    ['br;q=0.5, gzip;q=0.8', 'gzip br identity', 'weights decide'],
    [
      'br;q=0.5,gzip; q=0.50',
      'br gzip identity',
      'with equal weights, the server’s order decides; white space is allowed',
    ],
    ['BR, GZip;Q=0.1', 'br gzip identity', 'case is ignored'],
    ['*', 'br gzip identity', 'anything'],
    ['gzip;q=0, *', 'br identity', 'every encoding except one'],
    ['gzip;q=0', 'identity', 'identity only'],
    ['identity, br;q=0.5', 'identity br', 'identity preferred to compression'],
    ['identity;q=0.5, *;q=0', 'identity', 'only the named encoding'],
    ['identity;q=0, br', 'br identity', 'identity as a last resort, which is better than no response'],
    ['zstd', 'identity', 'no encoding that exists'],
    ['br;q=high, gzip', 'gzip identity', 'a weight that is not a number'],
    [' , ;;=, br', 'br identity', 'empty list members'],
  ]
  for (const [field, accepted, why] of rows) {
    await t.test(`${field ?? '(none)'} → ${accepted}: ${why}`, () => {
      for (const _again of [1, 2]) assert.equal(acceptedEncodings(field).join(' '), accepted)
    })
  }
})
