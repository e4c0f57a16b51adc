import assert from 'node:assert/strict'
import {test} from 'node:test'
import {api, EVENT, INTEGER, requestOf, TEXT, toolOf} from './support.ts'

const query = (schema: object, rest: object = {}) => ({name: 'x', in: 'query', schema, ...rest})

const PARAMETERS: readonly (readonly [what: string, parameter: object, property: unknown, name?: string])[] =
  [
    ['`nullable`', query({...INTEGER, nullable: true}), INTEGER],
    ['a type that may be null', query({type: ['integer', 'null']}), INTEGER],
    ['`anyOf` with null', query({anyOf: [INTEGER, {type: 'null'}], title: 'X'}), {title: 'X', ...INTEGER}],
    ['`oneOf` with null', query({oneOf: [{type: 'null'}, INTEGER]}), INTEGER],
    ['`x-nullable`', query({...INTEGER, 'x-nullable': true}), INTEGER],
    ['values of which one is null', query({enum: ['a', null]}), {enum: ['a']}],
    [
      'a list that may be null',
      query({anyOf: [{type: 'array', items: TEXT}, {type: 'null'}]}),
      {type: 'array', items: TEXT},
    ],
    ['a text or a number', query({anyOf: [TEXT, INTEGER]}), {type: ['string', 'integer']}],
    ['a text or a list', query({oneOf: [TEXT, {type: 'array', items: TEXT}]}), {type: 'array', items: TEXT}],
    ['`const`', query({const: 'a'}), {enum: ['a']}],
    ['`allOf`', query({allOf: [INTEGER], description: 'A'}), {...INTEGER, description: 'A'}],
    ['no type', query({}), TEXT],
    ['a type that does not exist', query({type: 'date'}), TEXT],
    ['a pattern that browsers cannot read', query({...TEXT, pattern: '(?i)a'}), TEXT],
    [
      'a minimum that is excluded, in 3.0',
      query({...INTEGER, minimum: 1, exclusiveMinimum: true}),
      {...INTEGER, minimum: 1, exclusiveMinimum: 1},
    ],
    [
      'a long identifier',
      query({...INTEGER, format: 'int64', examples: [5]}),
      {...TEXT, pattern: '^-?\\d+$', examples: ['5']},
    ],
    [
      'a long count',
      {...query({...INTEGER, format: 'int64'}), name: 'limit'},
      {...INTEGER, format: 'int64'},
      'limit',
    ],
    ['a list', query({type: 'array', items: INTEGER}), {type: 'array', items: INTEGER}],
    [
      'a list with commas',
      query({type: 'array', items: INTEGER}, {explode: false, description: 'Days'}),
      {...TEXT, description: 'Days. Several values are separated by “,”.'},
    ],
    [
      'a list with pipes',
      query({type: 'array', items: {enum: ['a', 'b']}}, {style: 'pipeDelimited'}),
      {...TEXT, description: 'Several values are separated by “|”: a, b.'},
    ],
    [
      'JSON',
      {name: 'x', in: 'query', content: {'application/json': {schema: EVENT}}},
      {...TEXT, description: 'Write it as JSON.'},
    ],
    ['brackets', {...query(INTEGER), name: 'page[size]'}, INTEGER, 'pageSize'],
    [
      'a group, as `deepObject`',
      {...query({type: 'object', properties: {a: INTEGER}}, {style: 'deepObject'}), name: 'f'},
      INTEGER,
      'fA',
    ],
    ['a group whose members are values', query({type: 'object', properties: {a: INTEGER}}), INTEGER, 'a'],
  ]

for (const [what, parameter, property, name = 'x'] of PARAMETERS)
  test(`a parameter that is ${what}`, () => {
    const {fields, notes} = toolOf(api('/a', 'get', {parameters: [parameter], responses: {}}))
    assert.deepEqual(JSON.parse(String(fields.inputSchema)).properties, {[name]: property})
    assert.deepEqual(notes, [])
  })

test('paths have their parameters, also those that the file forgets, and no fragment', () => {
  const matrix = {name: 'id', in: 'path', style: 'matrix', required: true, schema: TEXT}
  const same = {name: 'id', in: 'query', schema: INTEGER}
  const rows: [path: string, parameters: object[], address: string, names: string[]][] = [
    ['/u/{id}', [], '/u/{id}', ['id']],
    ['/files/{id}#get', [], '/files/{id}', ['id']],
    ['/u/{user.id}', [], '/u/{userId}', ['userId']],
    ['/u/{id}', [matrix], '/u/;id={id}', ['id']],
    ['/u/{id}', [same], '/u/{id}', ['id', 'idInQuery']],
  ]
  for (const [path, parameters, address, names] of rows) {
    const tool = toolOf(api(path, 'get', {parameters, responses: {}}))
    assert.equal(requestOf(tool).address, address)
    assert.deepEqual(Object.keys(JSON.parse(String(tool.fields.inputSchema)).properties), names)
  }
})
