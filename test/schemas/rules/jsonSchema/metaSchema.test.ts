import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Ajv} from 'ajv'
import {Ajv2020} from 'ajv/dist/2020.js'
import fc from 'fast-check'
import {mistakeIn} from '../../../../schemas/rules/jsonSchema/metaSchema.ts'
import {runs} from '../../../runner/runs.ts'

const KEYWORDS = [
  ...['$schema', 'title', 'description', 'type', 'properties', 'required', 'additionalProperties', 'items'],
  ...['enum', 'const', 'default', 'examples', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'constructor', 'format', '$ref', 'x'],
  ...['allOf', 'not', '$defs', 'prefixItems', 'additionalItems', 'dependencies', 'dependentSchemas'],
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

test('a name that is not Unicode text is refused', () => {
  const problem = 'has a name that is not Unicode text'
  for (const keyword of ['properties', '$defs'])
    assert.deepEqual(mistakeIn({[keyword]: {'\ud800': {}}}, '2020-12'), {path: [], problem})
})
