import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parseIsoTime} from '../../content/isoTime.ts'

test('a time has a zone, and exists', () => {
  const noon = Date.parse('2028-02-29T12:00:00Z')
  for (const text of ['2028-02-29T12:00Z', '2028-02-29T12:00:00.000Z', '2028-02-29T13:30:00+01:30'])
    assert.equal(parseIsoTime(text), noon, text)
  for (const value of [
    '2027-02-29T12:00:00Z',
    '2027-02-31T00:00:00+01:00',
    '2027-13-01T00:00:00Z',
    '2027-01-01T25:00:00Z',
    '2027-01-01T00:00:00',
    '2027-01-01',
    '2027-01-01 (x)',
    '',
    noon,
    undefined,
  ])
    assert.equal(parseIsoTime(value), undefined, `${value}`)
})
