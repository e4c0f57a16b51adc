import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Ajv} from 'ajv'
import {Ajv2020} from 'ajv/dist/2020.js'
import fc from 'fast-check'
import {check} from '../../../snippet/calls/arguments.ts'

type Schema = Record<string, unknown>

const REFUSED: [schema: Schema, value: unknown, message: string][] = [
  [{required: ['city']}, {}, 'Invalid input: {} lacks ["city"].'],
  [
    {required: ['constructor', 'toString', '__proto__']},
    {},
    'Invalid input: {} lacks ["constructor","toString","__proto__"].',
  ],
  [{required: ['city', 'street']}, {city: 1}, 'Invalid input: {"city":1} lacks ["street"].'],
  [{type: 'object'}, 'text', 'Invalid input: "text" must match "type": "object".'],
  [{type: 'object'}, [], 'Invalid input: [] must match "type": "object".'],
  [{type: 'string'}, null, 'Invalid input: null must match "type": "string".'],
  [{type: 'integer'}, 1.5, 'Invalid input: 1.5 must match "type": "integer".'],
  [{type: ['integer', 'null']}, '1', 'Invalid input: "1" must match "type": ["integer","null"].'],
  [{enum: ['s', 'm']}, 'xl', 'Invalid input: "xl" must match "enum": ["s","m"].'],
  [{minimum: 1}, 0, 'Invalid input: 0 must match "minimum": 1.'],
  [{maximum: 50}, 51, 'Invalid input: 51 must match "maximum": 50.'],
  [{minLength: 1}, '', 'Invalid input: "" must match "minLength": 1.'],
  [{maxLength: 2}, 'abc', 'Invalid input: "abc" must match "maxLength": 2.'],
  [{minItems: 1}, [], 'Invalid input: [] must match "minItems": 1.'],
  [
    {properties: {city: {}}, additionalProperties: false},
    {city: 1, City: 2},
    'Invalid input: {"city":1,"City":2} must not have "City".',
  ],
  [{maxItems: 1}, [1, 2], 'Invalid input: [1,2] must match "maxItems": 1.'],
  [{items: {type: 'string'}}, ['a', 1], 'Invalid input.1: 1 must match "type": "string".'],
  [{items: {type: 'string'}}, ['a', null], 'Invalid input.1: null must match "type": "string".'],
  [
    {required: ['city'], properties: {city: {type: 'string'}}},
    {city: null},
    'Invalid input.city: null must match "type": "string".',
  ],
  [
    {properties: {to: {properties: {city: {type: 'string'}}}}},
    {to: {city: 5}},
    'Invalid input.to.city: 5 must match "type": "string".',
  ],
]
for (const [schema, value, message] of REFUSED) {
  test(`${JSON.stringify(value)} is refused by ${JSON.stringify(schema)}`, () => {
    assert.throws(() => check(value, schema, 'input'), {message})
  })
}

const ACCEPTED: [schema: Schema, value: unknown][] = [
  [{type: 'integer'}, 2],
  [{type: ['null', 'string']}, null],
  [{maxLength: 2}, '👩‍'],
  [{minimum: 5}, '3'],
  [{minLength: 5}, 3],
  [{minItems: 5, minimum: 5}, {a: 1}],
  [{enum: [{a: 1, b: 2}]}, {b: 2, a: 1}],
  [{pattern: '^a$', format: 'email', anyOf: [{type: 'null'}], not: {}}, 'b'],
  [{$ref: '#/definitions/text', type: 'null'}, 'text'],
  [{prefixItems: [{type: 'string'}], items: {type: 'number'}}, ['a', 1]],
  [{properties: {constructor: {type: 'string'}, 0: {type: 'null'}}}, {}],
  [{properties: {0: {type: 'null'}}}, 'text'],
]
for (const [schema, value] of ACCEPTED) {
  test(`${JSON.stringify(value)} is not refused by ${JSON.stringify(schema)}`, () => {
    check(value, schema, 'input')
  })
}

const city = {type: 'string'}
const NULLS: [schema: Schema, value: unknown, expected: unknown, why: string][] = [
  [{properties: {city}}, {city: null}, {}, 'an optional text'],
  [{properties: {city: {enum: ['Bern', 1]}}}, {city: null, a: 1}, {a: 1}, 'an optional choice'],
  [{properties: {to: {properties: {city}}}}, {to: {city: null}}, {to: {}}, 'in an object'],
  [{items: {properties: {city}}}, [{city: null}], [{}], 'in an object in a list'],
  [{properties: {to: {required: ['city'], properties: {city}}}}, {to: null}, {to: null}, 'without a type'],
  [{properties: {city: {type: ['string', 'null']}}}, {city: null}, {city: null}, 'a type that allows it'],
  [{properties: {city: {enum: ['a', null]}}}, {city: null}, {city: null}, 'a choice that allows it'],
  [{properties: {city: {anyOf: [city, {type: 'null'}]}}}, {city: null}, {city: null}, 'an alternative'],
  [{properties: {city: {$ref: '#/$defs/city'}}}, {city: null}, {city: null}, 'a reference'],
  [{properties: {city}}, {other: null}, {other: null}, 'a member that the schema does not have'],
]
for (const [schema, value, expected, why] of NULLS) {
  test(`null for ${why} becomes ${JSON.stringify(expected)}, and the agent's own object stays`, () => {
    const before = structuredClone(value)
    assert.deepEqual(check(value, schema, 'input'), expected)
    assert.deepEqual(value, before)
  })
}

test('a message is short, whatever the schema and its names are', () => {
  const long = 'x'.repeat(5_000)
  const many = Array.from({length: 3_000}, (_, index) => `value ${index}`)
  for (const [schema, value] of [
    [{enum: many}, 'none'],
    [{required: many}, {}],
    [{type: many}, 1],
    [{properties: {[long]: {type: 'null'}}}, {[long]: 1}],
    [{type: 'null'}, long],
  ] satisfies [Schema, unknown][]) {
    const messageLength = (error: unknown) => error instanceof Error && error.message.length <= 301
    assert.throws(() => check(value, schema, 'input'), messageLength)
  }
})

test('members that a page adds to every list and object do not matter', (t) => {
  const added = {value: {type: 'null'}, enumerable: true, configurable: true}
  const names = ['city', 'items', '$ref', 'prefixItems']
  for (const name of names) Object.defineProperty(Object.prototype, name, added)
  t.after(() => {
    for (const name of names) Reflect.deleteProperty(Object.prototype, name)
  })
  check(['a'], {items: {type: 'string'}, minItems: 1, maxItems: 1}, 'input')
  check([1], {type: 'array'}, 'input')
  assert.throws(() => check(1, {type: 'string'}, 'input'), /"type": "string"/)
  assert.throws(() => check({}, {required: ['city']}, 'input'), /lacks \["city"\]/)
  assert.throws(() => check(1, {type: 'string'}, 'input'), /"type": "string"/)
})

const KEYS = ['a', 'b', '0', 'length', 'constructor']
const TYPES = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']
const SIZES = fc.integer({min: 0, max: 3})
const text = fc.string({unit: fc.constantFrom('a', '1', '😀'), maxLength: 3})

const {value} = fc.letrec((tie) => ({
  value: fc.oneof(
    {maxDepth: 3},
    fc.constantFrom(null, true, false, 0, 1, -1, 2, 1.5, 3),
    text,
    fc.array(tie('value'), {maxLength: 3}),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), {maxKeys: 3, noNullPrototype: true}),
  ),
}))
/** @param inner for the parts of a value. */
function schemaWith(inner: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc.record(
    {
      type: fc.oneof(
        fc.constantFrom(...TYPES),
        fc.uniqueArray(fc.constantFrom(...TYPES), {minLength: 1, maxLength: 3}),
      ),
      enum: fc.array(value, {minLength: 1, maxLength: 3}),
      required: fc.uniqueArray(fc.constantFrom(...KEYS), {maxLength: 2}),
      properties: fc.dictionary(fc.constantFrom(...KEYS), inner, {maxKeys: 2, noNullPrototype: true}),
      items: inner,
      minimum: SIZES,
      maximum: SIZES,
      minLength: SIZES,
      maxLength: SIZES,
      minItems: SIZES,
      maxItems: SIZES,
      minProperties: SIZES,
      not: fc.constant({type: 'null'}),
    },
    {requiredKeys: []},
  )
}
const schema = schemaWith(schemaWith(fc.constantFrom({}, {type: 'string'}, {minimum: 1})))

for (const [dialect, ajv] of [
  ['2020-12', new Ajv2020({strict: false, validateSchema: false, ownProperties: true})],
  ['draft-07', new Ajv({strict: false, validateSchema: false, ownProperties: true})],
] as const) {
  test(`what a schema of ${dialect} allows is never refused nor changed`, () => {
    fc.assert(
      fc.property(schema, fc.array(value, {maxLength: 8}), (schema, values) => {
        const allows = ajv.compile(schema)
        for (const value of values) if (allows(value)) assert.deepEqual(check(value, schema, 'input'), value)
      }),
      {numRuns: 200},
    )
  })
}
