import assert from 'node:assert/strict'
import {test} from 'node:test'
import {argumentsOf} from '../../verdicts/arguments.ts'
import {deriveCalls} from '../../verdicts/derive.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    query: {type: 'string', minLength: 1, description: 'Words, such as "rope" or "jacket"'},
    limit: {type: 'integer', minimum: 1, maximum: 50},
    inStock: {type: 'boolean'},
    tags: {type: 'array', items: {type: 'string'}},
    size: {type: ['number', 'null']},
    level: {enum: ['low', 3]},
    floor: {enum: [0, false, null]},
    isOpen: {enum: [0, false, null]},
    near: {type: 'object'},
  },
  required: ['query'],
}

test('arguments have the kinds of their parameters', () => {
  const typed = {
    query: '12',
    limit: '5',
    inStock: 'true',
    tags: 'deck\nrope\n',
    size: 'null',
    level: '3',
    floor: '0',
    isOpen: 'false',
    near: '{"km": 5}',
    other: 'true',
  }
  assert.deepEqual(
    argumentsOf(
      Object.entries(typed).map(([name, value]) => ({name, value})),
      SCHEMA,
    ),
    {
      query: '12',
      limit: 5,
      inStock: true,
      tags: ['deck', 'rope'],
      size: null,
      level: 3,
      floor: 0,
      isOpen: false,
      near: {km: 5},
      other: 'true',
    },
  )
})

test('what is not of the kind of its parameter is passed as it is, so that a test can show the refusal', () => {
  const typed = [
    {name: 'limit', value: 'many'},
    {name: 'inStock', value: '1'},
  ]
  assert.deepEqual(argumentsOf(typed, SCHEMA), {limit: 'many', inStock: 1})
  assert.deepEqual(argumentsOf([{name: 'toString', value: 'x'}], undefined), {toString: 'x'})
})

test('calls are derived from a schema: what is required, everything, limits, and what is forbidden', () => {
  const {calls, unknown} = deriveCalls(SCHEMA)
  assert.deepEqual(unknown, [])
  const given = new Map(calls.map(({title, arguments: args}) => [title, args]))
  assert.deepEqual(given.get('only what is required'), {query: 'rope'})
  assert.deepEqual(given.get('every parameter'), {
    query: 'rope',
    limit: 1,
    inStock: true,
    level: 'low',
    floor: 0,
    isOpen: 0,
  })
  assert.deepEqual(given.get('highest “limit”'), {query: 'rope', limit: 50})
  assert.deepEqual(given.get('without “query”'), {})
  assert.deepEqual(given.get('more than the highest for “limit”'), {query: 'rope', limit: 51})
  assert.deepEqual(given.get('an empty text for “query”'), {query: ''})
  const refused = calls.filter(({expect}) => expect.some(({kind}) => kind === 'fails'))
  assert.ok(refused.length > 0 && refused.length < calls.length)
})

test('without a value for a required parameter, only what must be refused is called', () => {
  const schema = {type: 'object', properties: {id: {type: 'string'}}, required: ['id']}
  const {calls, unknown} = deriveCalls(schema)
  assert.deepEqual(unknown, ['id'])
  assert.deepEqual(
    calls.map(({title}) => title),
    ['without “id”', 'another kind for “id”'],
  )
  const [first] = deriveCalls(schema, [{other: 1}, {id: 'mooring-rope'}]).calls
  assert.deepEqual(first?.arguments, {id: 'mooring-rope'}, 'a written test knows one')
})
