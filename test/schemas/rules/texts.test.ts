import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parseTitle, parseToolName} from '../../../schemas/rules/names/toolName.ts'
import {DEFAULT_POLL_INTERVAL, parsePollInterval} from '../../../schemas/rules/pollInterval.ts'
import {generatePublicId, parsePublicId} from '../../../schemas/rules/publicId.ts'
import {parseDescription} from '../../../schemas/rules/text.ts'
import {accepted, problemOf} from './problem.ts'

test('a tool name is 1 to 128 letters, digits, "_", "." and "-"', () => {
  for (const name of ['a', 'shop.place_order-2', 'x'.repeat(128)]) {
    assert.equal(accepted(parseToolName(name)), name)
  }
  assert.match(problemOf(parseToolName('x'.repeat(129))) ?? '', /129 characters.*128/)
  assert.match(problemOf(parseToolName('')) ?? '', /empty/)
  assert.match(problemOf(parseToolName(undefined)) ?? '', /missing/)
  assert.match(problemOf(parseToolName(5)) ?? '', /must be text/)
})

test('a problem with a tool name names the invalid character', () => {
  assert.match(problemOf(parseToolName('place order')) ?? '', /cannot contain a space/)
  assert.match(problemOf(parseToolName('café')) ?? '', /cannot contain "é"/)
  assert.match(problemOf(parseToolName('a/b')) ?? '', /cannot contain "\/"/)
  assert.match(problemOf(parseToolName('a😀')) ?? '', /cannot contain "😀"/)
  assert.match(problemOf(parseToolName('a\n')) ?? '', /a line break/)
  assert.match(problemOf(parseToolName('a\u200b')) ?? '', /invisible character U\+200B/)
})

test('a description is not empty, and its length is limited', () => {
  assert.equal(accepted(parseDescription('Finds products.')), 'Finds products.')
  for (const value of ['', ' \n', undefined, null, 3, 'x'.repeat(4001)]) {
    assert.ok(problemOf(parseDescription(value)))
  }
})

test('a title is one line of up to 100 visible characters, or missing', () => {
  for (const value of [undefined, null]) assert.equal(accepted(parseTitle(value)), undefined)
  for (const title of ['Produkte suchen', 'می‌خواهم', '👩‍🌾 Farm', 'x'.repeat(100)])
    assert.equal(accepted(parseTitle(title)), title)
  for (const value of ['', ' ', 3, 'x'.repeat(101)]) assert.ok(problemOf(parseTitle(value)), String(value))
  const found = [
    ['a\nb', /a line break/],
    ['a\tb', /a tab/],
    ['a\u200bb', /U\+200B/],
    ['a\u2028b', /U\+2028/],
    ['a\u202eb', /U\+202E/],
    ['a\ud800b', /U\+D800/],
  ] as const
  for (const [value, problem] of found) assert.match(problemOf(parseTitle(value)) ?? '', problem)
})

test('a poll interval is a whole number of seconds from 10 to 86,400, and 300 by default', () => {
  assert.equal(DEFAULT_POLL_INTERVAL, 300)
  for (const value of [undefined, null]) assert.equal(accepted(parsePollInterval(value)), 300)
  for (const value of [10, 86_400]) assert.equal(accepted(parsePollInterval(value)), value)
  for (const value of [9, 86_401, 30.5, '300', Number.NaN, Number.POSITIVE_INFINITY, 0, -300]) {
    assert.ok(problemOf(parsePollInterval(value)), String(value))
  }
})

test('a public ID is 6 to 64 letters, digits, "_" and "-"', () => {
  for (const id of ['demo-shop', 'a_B-12', 'x'.repeat(64)]) assert.equal(accepted(parsePublicId(id)), id)
  for (const id of ['short', 'x'.repeat(65), 'a/b/c/d', 'with space', 'ä-umlaut', undefined, null, 123_456]) {
    assert.ok(problemOf(parsePublicId(id)), String(id))
  }
})

test('generated public IDs follow the rule, differ, and contain no look-alike characters', () => {
  const ids = Array.from({length: 500}, generatePublicId)
  for (const id of ids) {
    assert.equal(accepted(parsePublicId(id)), id)
    assert.match(id, /^[1-9a-hjkmnp-z]{20}$/)
  }
  assert.equal(new Set(ids).size, ids.length)
})
