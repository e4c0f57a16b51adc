import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Ajv} from 'ajv'
import {Ajv2020} from 'ajv/dist/2020.js'
import fc from 'fast-check'
import {isCommonSchema} from '../../../../schemas/rules/jsonSchema/commonSchema.ts'
import {mistakeIn} from '../../../../schemas/rules/jsonSchema/metaSchema.ts'
import {runs} from '../../../runner/runs.ts'

const KEYWORDS = [
  ...['$schema', 'title', 'description', 'type', 'properties', 'required', 'additionalProperties', 'items'],
  ...['enum', 'const', 'default', 'examples', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'constructor', 'format', '$ref', 'x'],
]

const VALUES = fc.oneof(
  fc.constantFrom(
    'string',
    'object',
    'text',
    '',
    0,
    3,
    -1,
    1.5,
    Number.POSITIVE_INFINITY,
    true,
    null,
    ['a'],
    ['a', 'a'],
    [1],
    [],
  ),
  fc.dictionary(fc.constantFrom('a', 'type', '__proto__'), fc.constantFrom({}, true, 'x'), {maxKeys: 2}),
)

const SCHEMAS = fc.letrec<{schema: Record<string, unknown>}>((tie) => {
  const value = fc.oneof({weight: 3, arbitrary: VALUES}, tie('schema'))
  const properties = fc.dictionary(fc.constantFrom('a', 'b', 'type'), value, {maxKeys: 2})
  return {
    schema: fc.dictionary(fc.constantFrom(...KEYWORDS), fc.oneof(value, properties), {maxKeys: 3}),
  }
}).schema

const current = new Ajv2020({validateFormats: false, logger: false})
const older = new Ajv({validateFormats: false, logger: false})

test('a meta-schema accepts every common schema', () => {
  let tried = 0
  let common = 0
  const check = fc.property(SCHEMAS, (schema) => {
    tried += 1
    if (!isCommonSchema(schema)) return
    common += 1
    const {$schema: _, ...rest} = schema
    assert.equal(current.validateSchema(rest), true, JSON.stringify(schema))
    assert.equal(older.validateSchema(rest), true, JSON.stringify(schema))
  })
  fc.assert(check, {numRuns: runs(3_000)})
  assert.ok(common > tried / 50, `only ${common} of ${tried} schemas are common`)
})

test('the meta-schemas in short accept and refuse what those of the dialects do', () => {
  const json = SCHEMAS.map(
    (schema): Record<string, unknown> => JSON.parse(JSON.stringify({...schema, $schema: undefined})),
  )
  const check = fc.property(json, (schema) => {
    assert.equal(mistakeIn(schema, '2020-12') === undefined, current.validateSchema(schema))
    assert.equal(mistakeIn(schema, 'draft-07') === undefined, older.validateSchema(schema))
  })
  fc.assert(check, {numRuns: runs(3_000)})
})

test('a schema with every common keyword is common, and one with a mistake or another keyword is not', () => {
  const text = {
    type: 'string',
    description: 'A city',
    minLength: 1,
    maxLength: 9,
    pattern: '^a',
    default: 'a',
  }
  const list = {type: 'array', items: text, minItems: 0, maxItems: 3, examples: [['a']]}
  const number = {
    type: 'number',
    minimum: 0.5,
    maximum: 2,
    exclusiveMinimum: 0,
    exclusiveMaximum: 3,
    const: 1,
  }
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Cities',
    type: 'object',
    properties: {text, list, number, choice: {enum: ['a', 1, null]}},
    required: ['text', 'list'],
    additionalProperties: false,
  }
  assert.equal(isCommonSchema(schema), true)
  for (const wrong of [
    {required: ['text', 'text']},
    {type: ['object']},
    {properties: {a: true}},
    {minLength: 1.5},
    {format: 'email'},
    {constructor: 1},
  ])
    assert.equal(isCommonSchema({...schema, ...wrong}), false, JSON.stringify(wrong))
  for (const other of [true, null, [], 'string']) assert.equal(isCommonSchema(other), false)
})
