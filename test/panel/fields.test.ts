import assert from 'node:assert/strict'
import {test} from 'node:test'
import {fieldsOf, readFields} from '../../panel/fields.ts'

const schema = {
  type: 'object',
  properties: {
    query: {type: 'string', description: 'Words', examples: ['rope', 'lamp']},
    price: {type: 'number', default: 100},
    size: {enum: [38, 39, 'other']},
    tags: {type: 'array', items: {type: 'string'}, default: ['a', 'b']},
    raw: {anyOf: [{type: 'string'}, {type: 'null'}]},
  },
  required: ['query'],
}

test('the fields of a tool have the kinds, choices, examples and defaults of its input schema', () => {
  const fields = fieldsOf(schema)
  assert.deepEqual(
    fields.map(({name, kind, initial}) => [name, kind, initial]),
    [
      ['query', 'text', ''],
      ['price', 'number', '100'],
      ['size', 'choice', ''],
      ['tags', 'texts', 'a\nb'],
      ['raw', 'other', ''],
    ],
  )
  assert.deepEqual(
    [fields[0]?.examples, fields[2]?.choices],
    [
      ['rope', 'lamp'],
      [
        ['38', '38'],
        ['39', '39'],
        ['other', 'other'],
      ],
    ],
  )
  assert.deepEqual(fieldsOf(undefined), [])
})

test('the choices of a form have the labels that Chromium gives them', () => {
  const anyOf = [
    {const: '', title: ''},
    {const: '1', title: 'Bug'},
  ]
  const [field] = fieldsOf({properties: {tracker: {type: 'string', enum: ['', '1'], anyOf}}})
  assert.deepEqual(field?.choices, [
    ['', ''],
    ['1', 'Bug'],
  ])
})

test('what was typed is read as tests read it, without fields that are empty', () => {
  const typed = {query: ' ', price: 'cheap', size: '39', tags: 'one\n\ntwo, three', raw: '{"deep": [null]}'}
  const args = {price: 'cheap', size: 39, tags: ['one', 'two, three'], raw: {deep: [null]}}
  assert.deepEqual(readFields(schema, typed), args)
})
