import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {hiddenCharacters} from '../../../schemas/rules/text.ts'
import {UNKNOWN_MOST} from '../../../snippet/ask/limits.ts'
import {cutShort, type Row, rowsOf, textsIn} from '../../../snippet/ask/texts.ts'

const LANGUAGES: [language: string, texts: string][] = [
  ['de', 'de'],
  ['de-CH', 'de'],
  ['PT-br', 'pt'],
  ['fr', 'fr'],
  ['ja', 'en'],
  ['', 'en'],
  ['constructor', 'en'],
]
for (const [language, expected] of LANGUAGES) {
  test(`a page in ${language || 'no language'} asks in ${expected}`, () => {
    const [lang, question, ...others] = textsIn(language)
    assert.equal(lang, expected)
    assert.match(question, /\*/)
    assert.equal(new Set([question, ...others]).size, 5)
  })
}

const ROWS: [what: string, args: object, properties: unknown, known: Row[], unknown: Row[]][] = [
  ['by the titles of the parameters', {sku: 'a-1'}, {sku: {title: 'Product'}}, [['Product', 'a-1']], []],
  ['by their names without a title', {sku: 'a-1'}, {sku: {title: ''}}, [['sku', 'a-1']], []],
  [
    'in the order of the schema, and apart from what only looks like it',
    {Amount: 5, Recipient: 'Alice', to: 'mallory', amount: 5000},
    {amount: {title: 'Amount'}, to: {title: 'Recipient'}},
    [
      ['Amount', '5000'],
      ['Recipient', 'mallory'],
    ],
    [
      ['Amount', '5'],
      ['Recipient', 'Alice'],
    ],
  ],
  [
    'also those that the schema does not name',
    {toString: true, more: null},
    {},
    [],
    [
      ['toString', 'true'],
      ['more', 'null'],
    ],
  ],
  ['with their lines and spaces', {note: ' a\nb: c'}, {note: {}}, [['note', ' a\nb: c']], []],
  ['with quotation marks if there is nothing to see', {a: ' '}, {a: {}}, [['a', '" "']], []],
  ['at any depth', {to: {ids: [1]}}, {to: {}}, [['to', '{\n "ids": [\n  1\n ]\n}']], []],
  ['whatever the schema is', {a: 1}, undefined, [], [['a', '1']]],
  ['whatever a parameter is', {a: 1}, {a: true}, [['a', '1']], []],
  [
    'with escapes for what is not seen or changes the order',
    {to: 'DE00 \u202e1234\u202c', 'A\u200bmount': '5\r\0\ud800\u3164'},
    {to: {}},
    [['to', 'DE00 \\u{202e}1234\\u{202c}']],
    [['A\\u{200b}mount', '5\\u{d}\\u{0}\\u{d800}\\u{3164}']],
  ],
  ['with the joiners that people write', {to: '👩‍👧 می‌خواهم'}, {to: {}}, [['to', '👩‍👧 می‌خواهم']], []],
]
for (const [what, args, properties, known, unknown] of ROWS) {
  test(`arguments are shown ${what}`, () => {
    assert.deepEqual(rowsOf(args, {type: 'object', properties}), {known, unknown})
  })
}

test('more unknown arguments than a person reads are refused', () => {
  const args = Object.fromEntries(Array.from({length: UNKNOWN_MOST + 1}, (_, index) => [`a${index}`, 1]))
  assert.throws(() => rowsOf(args, {}), /Leave out what this tool does not know/)
})

test('a long value is cut to four lines of 80 characters', () => {
  assert.equal(cutShort('a\n'.repeat(9)), 'a\n'.repeat(4))
  assert.equal(cutShort('😀'.repeat(900)), '😀'.repeat(320))
  assert.equal(cutShort('short'), 'short')
})

test('whatever an agent sends, the rows of the schema are the same, and no text hides a character', () => {
  const hostile = fc.string({
    unit: fc.constantFrom('a', 'Amount', '\n', '\u202e', '\u2066', '\u200d', '\u0000', '\u2028', ' '),
  })
  const properties = {amount: {title: 'Amount'}, to: {title: 'Recipient'}}
  fc.assert(
    fc.property(fc.dictionary(hostile, hostile, {maxKeys: 9}), fc.boolean(), (more, isFirst) => {
      const own = {to: 'Alice', amount: 5}
      const {known, unknown} = rowsOf(isFirst ? {...own, ...more, ...own} : {...more, ...own}, {properties})
      assert.deepEqual(known, [
        ['Amount', '5'],
        ['Recipient', 'Alice'],
      ])
      for (const text of unknown.flat()) assert.deepEqual(hiddenCharacters(text), [])
    }),
  )
})
