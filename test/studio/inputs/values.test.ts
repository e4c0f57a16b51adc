import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {
  formatTexts,
  readTexts,
  readValue,
  readValues,
  showValue,
} from '../../../studio/inputs/parameters/values.ts'

test('a list is separated by commas; quotation marks keep a comma', () => {
  assert.deepEqual(readTexts('S, M ,L,'), ['S', 'M', 'L'])
  assert.deepEqual(readTexts('"Kiel, Germany", Bonn'), ['Kiel, Germany', 'Bonn'])
  assert.deepEqual(readTexts('3" pipe, "a" b'), ['3" pipe', '"a" b'])
  assert.deepEqual(readTexts(' '), [])
  assert.equal(formatTexts(['Kiel, Germany', 'Bonn', '3"', '']), '"Kiel, Germany", Bonn, "3""", ""')
})

test('every list of texts is read as it was shown', () => {
  const text = fc.oneof(fc.string(), fc.string({unit: fc.constantFrom('"', ',', ' ', 'a', '\n')}))
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      assert.deepEqual(readTexts(showValue(texts)), texts)
    }),
  )
})

test('values of each kind are read as they were shown', () => {
  assert.equal(readValue('boolean', showValue(true)), true)
  assert.equal(readValue('boolean', showValue(false)), false)
  assert.equal(readValue('number', showValue(-0.5)), -0.5)
  assert.deepEqual(readValues('integer', showValue([1, 2, 30])), [1, 2, 30])
  assert.deepEqual(readValues('choice', showValue(['S', 'a, b'])), ['S', 'a, b'])
  assert.deepEqual(readValue('texts', showValue(['x', 'y, z'])), ['x', 'y, z'])
})

test('a text that is not a value of its kind is refused', () => {
  assert.equal(readValue('number', '3,50'), undefined)
  assert.equal(readValue('boolean', 'maybe'), undefined)
  assert.equal(readValues('number', '1, two'), undefined)
})
