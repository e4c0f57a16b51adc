import assert from 'node:assert/strict'
import {test} from 'node:test'
import {checkerOf, type Dialect} from '../../../../schemas/rules/jsonSchema/mismatch.ts'

const ROWS: [
  schema: Record<string, unknown>,
  value: unknown,
  mismatch: string | undefined,
  dialect?: Dialect,
][] = [
  [{type: ['object', 'null']}, 1, ' must be object or null'],
  [{properties: {n: {type: 'integer'}}}, {n: 1.5}, '/n must be integer'],
  [{required: ['id', 'a"b']}, {id: 1}, ' must have "a"b"'],
  [{dependentRequired: {a: ['b']}}, {a: 1}, ' must have "b"'],
  [{dependencies: {a: ['b']}}, {a: 1}, ' must have "b"', 'draft-07'],
  [{properties: {}, additionalProperties: false}, {b: 1}, '/b must not be there'],
  [{additionalProperties: {type: 'string'}}, {b: 1}, '/b must be string'],
  [
    {items: {$ref: '#/$defs/size'}, $defs: {size: {enum: ['s', 1, {a: 1}]}}},
    ['s', 'm'],
    '/1 must be one of s, 1, {"a":1}',
  ],
  [{const: 'done'}, 'd', ' must be done'],
  [{minimum: 2}, 1, ' must be at least 2'],
  [{maximum: 2}, 3, ' must be at most 2'],
  [{exclusiveMinimum: 2}, 2, ' must be more than 2'],
  [{exclusiveMaximum: 2}, 2, ' must be less than 2'],
  [{multipleOf: 0.1}, 0.25, ' must be a multiple of 0.1'],
  [{minLength: 2}, '👩', ' must have at least 2 characters'],
  [{maxLength: 1}, 'ab', ' must have at most 1 characters'],
  [{minItems: 1}, [], ' must have at least 1 items'],
  [{maxItems: 1}, [1, 2], ' must have at most 1 items'],
  [{minProperties: 1}, {}, ' must have at least 1 members'],
  [{maxProperties: 0}, {a: 1}, ' must have at most 0 members'],
  [{uniqueItems: true}, [{a: 1}, {a: 1}], ' must not have an item twice'],
  [{properties: {'a/b c': {pattern: '^a'}}}, {'a/b c': 'b'}, '/a/b c must match the pattern ^a'],
  [{anyOf: [{type: 'string'}, {type: 'null'}]}, 1, ' does not match its “anyOf”'],
  [{anyOf: [{type: 'null'}, {properties: {a: {type: 'null'}}}]}, {a: 1}, '/a must be null'],
  [{not: {type: 'string'}}, 'a', ' does not match its “not”'],
  [{format: 'email', properties: {format: {format: 'date'}}}, 'a', undefined],
  [{prefixItems: [{type: 'string'}], items: {type: 'number'}}, ['a', 'b'], '/1 must be number'],
  [{items: [{type: 'string'}], additionalItems: false}, ['a', 'b'], '/1 must not be there', 'draft-07'],
]
for (const [schema, value, mismatch, dialect = '2020-12'] of ROWS) {
  test(`${JSON.stringify(value)} compared with ${JSON.stringify(schema)}: ${mismatch ?? 'matches'}`, () => {
    const before = structuredClone(schema)
    const found = checkerOf(schema, dialect)(value)
    assert.equal(found && `${found.path.map((part) => `/${part}`).join('')} ${found.problem}`, mismatch)
    assert.deepEqual(schema, before)
  })
}
