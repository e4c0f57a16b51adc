import assert from 'node:assert/strict'
import {test} from 'node:test'
import {KINDS, kindOf} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {changeKind, DEFINITIONS, hiddenKeywords} from '../../../studio/inputs/parameterKinds.ts'
import {removeRow, renameRow, rowsOf, setKeyword, updateRow} from '../../../studio/inputs/parameters/table.ts'

const SHOP = {
  type: 'object',
  properties: {
    query: {type: 'string', description: 'Words', minLength: 1},
    size: {enum: ['S', 'M', 'L'], description: 'One size'},
    tags: {type: 'array', items: {type: 'string'}},
    address: {type: 'object', properties: {city: {type: 'string'}}, required: ['city']},
    any: {anyOf: [{type: 'string'}, {type: 'number'}]},
    code: {type: 'string', contentEncoding: 'base64'},
    on: true,
  },
  required: ['query', 'code'],
  additionalProperties: false,
}

test('each parameter is one row with its kind', () => {
  assert.deepEqual(
    rowsOf(SHOP).map(({name, kind, required, hidden}) => [name, kind, required, hidden.join()]),
    [
      ['query', 'text', true, ''],
      ['size', 'choice', false, ''],
      ['tags', 'texts', false, ''],
      ['address', 'group', false, ''],
      ['any', 'other', false, ''],
      ['code', 'text', true, 'contentEncoding'],
      ['on', 'other', false, ''],
    ],
  )
})

test('a new parameter of each kind is shown as that kind', () => {
  for (const kind of KINDS) {
    assert.equal(kindOf(DEFINITIONS[kind].base), kind)
    assert.deepEqual(hiddenKeywords(DEFINITIONS[kind].base), [])
  }
})

test('what the table cannot edit is listed for each kind', () => {
  const rows = {
    flag: {type: 'boolean', default: true, examples: [true]},
    list: {type: 'array', items: {type: 'string'}, default: [], examples: [['a'], ['b']]},
    day: {type: 'string', format: 'date'},
    special: {type: 'string', format: 'date', pattern: '^2026'},
    group: {type: 'object', properties: {}, default: {}},
  }
  assert.deepEqual(
    rowsOf({type: 'object', properties: rows}).map(({name, kind, hidden}) => [name, kind, hidden.join()]),
    [
      ['flag', 'boolean', 'examples'],
      ['list', 'texts', 'examples'],
      ['day', 'date', 'format'],
      ['special', 'text', 'format'],
      ['group', 'group', 'default'],
    ],
  )
})

test('renaming keeps the order and updates "required"', () => {
  const renamed = renameRow(SHOP, 'query', 'words')
  assert.deepEqual(Object.keys(Object(renamed?.properties)).slice(0, 2), ['words', 'size'])
  assert.deepEqual(renamed?.required, ['words', 'code'])
})

test('an empty name, a name in use and "__proto__" are refused', () => {
  for (const name of ['', 'size', '__proto__']) assert.equal(renameRow(SHOP, 'query', name), undefined)
})

test('removing a parameter removes it from "required", and removes "required" once it is empty', () => {
  const removed = removeRow(removeRow(SHOP, 'query'), 'code')
  assert.equal('required' in removed, false)
  assert.equal(rowsOf(removed).length, 5)
})

test('changing the kind keeps the description and anything that the table does not show', () => {
  const changed = updateRow(setKeyword(SHOP, 'query', 'x-note', 'ours'), 'query', (query) =>
    changeKind(query, 'integer'),
  )
  assert.deepEqual(Object(changed.properties).query, {
    type: 'integer',
    description: 'Words',
    'x-note': 'ours',
  })
})
