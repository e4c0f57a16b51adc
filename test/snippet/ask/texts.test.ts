import assert from 'node:assert/strict'
import {test} from 'node:test'
import {rowsOf, textsIn} from '../../../snippet/ask/texts.ts'

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
    const [lang, question, no, yes] = textsIn(language)
    assert.equal(lang, expected)
    assert.match(question, /\*/)
    assert.equal(new Set([question, no, yes]).size, 3)
  })
}

const ROWS: [what: string, args: object, properties: unknown, rows: [string, string][]][] = [
  ['by the titles of the parameters', {sku: 'a-1'}, {sku: {title: 'Product'}}, [['Product', 'a-1']]],
  [
    'by their names without a title',
    {sku: 'a-1', n: 2},
    {sku: {title: ''}},
    [
      ['sku', 'a-1'],
      ['n', '2'],
    ],
  ],
  [
    'also those that the schema does not name',
    {toString: true, more: null},
    {},
    [
      ['toString', 'true'],
      ['more', 'null'],
    ],
  ],
  ['with their lines and spaces', {note: ' a\nb: c'}, {}, [['note', ' a\nb: c']]],
  [
    'with quotation marks if there is nothing to see',
    {a: '', b: ' '},
    {},
    [
      ['a', '""'],
      ['b', '" "'],
    ],
  ],
  ['at any depth', {to: {ids: [1]}}, {}, [['to', '{\n "ids": [\n  1\n ]\n}']]],
  ['whatever the schema is', {a: 1}, undefined, [['a', '1']]],
  [
    'whatever a parameter is',
    {a: 1, b: 2},
    {a: true, b: null},
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
]
for (const [what, args, properties, rows] of ROWS) {
  test(`arguments are shown ${what}`, () => {
    assert.deepEqual(rowsOf(args, {type: 'object', properties}), rows)
  })
}
