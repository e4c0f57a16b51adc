import assert from 'node:assert/strict'
import test from 'node:test'
import {acceptedCodings} from '../../../service/codings/acceptedCodings.ts'

test('Accept-Encoding, RFC 9110 §12.5.3', async (t) => {
  const rows: [field: string | undefined, accepted: string, why: string][] = [
    [
      undefined,
      'identity br gzip',
      'without the field anything may be sent, and the text as it is is the safest',
    ],
    ['', 'identity', 'an empty field wants nothing else'],
    ['gzip, deflate, br, zstd', 'br gzip identity', 'what Chromium sends'],
    ['gzip, deflate', 'gzip identity', 'what browsers send over plain HTTP'],
    ['br;q=0.5, gzip;q=0.8', 'gzip br identity', 'weights decide'],
    ['br;q=0.5,gzip; q=0.50', 'br gzip identity', 'between equals, ours does; white space is allowed'],
    ['BR, GZip;Q=0.1', 'br gzip identity', 'case does not count'],
    ['*', 'br gzip identity', 'anything'],
    ['gzip;q=0, *', 'br identity', 'anything but'],
    ['gzip;q=0', 'identity', 'nothing but the text as it is'],
    ['identity, br;q=0.5', 'identity br', 'as it is, rather than compressed'],
    ['identity;q=0.5, *;q=0', 'identity', 'nothing but what is named'],
    ['identity;q=0, br', 'br identity', 'as it is at the worst: better than no answer'],
    ['zstd', 'identity', 'nothing that there is'],
    ['br;q=high, gzip', 'gzip identity', 'a weight that is no number'],
    [' , ;;=, br', 'br identity', 'empty members'],
  ]
  for (const [field, accepted, why] of rows) {
    await t.test(`${field ?? '(none)'} → ${accepted}: ${why}`, () => {
      for (const _again of [1, 2]) assert.equal(acceptedCodings(field).join(' '), accepted)
    })
  }
})
