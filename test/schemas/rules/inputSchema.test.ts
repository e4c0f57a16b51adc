import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parseInputSchema, parseOutputSchema} from '../../../schemas/rules/inputSchema.ts'
import {accepted, problemOf} from './problem.ts'

const OBJECT = {type: 'object', properties: {}}
const json = (members: object) => JSON.stringify({...OBJECT, ...members})

test('an object schema with a properties map is accepted unchanged', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      query: {type: 'string', minLength: 1},
      sizes: {type: 'array', prefixItems: [{const: 's'}]},
      any: true,
    },
    required: ['query'],
    additionalProperties: false,
    'x-note': 'an annotation of our own',
  }
  assert.deepEqual(accepted(parseInputSchema(JSON.stringify(schema, null, 2))), schema)
})

test('a schema is checked as draft-07 if "$schema" names it', () => {
  for (const $schema of [
    'http://json-schema.org/draft-07/schema#',
    'http://json-schema.org/draft-07/schema',
  ]) {
    assert.equal(accepted(parseInputSchema(json({$schema}))).$schema, $schema)
    // An array of schemas in "items" is draft-07; 2020-12 calls it "prefixItems".
    const tuple = {properties: {a: {items: [{type: 'string'}]}}}
    assert.ok(parseInputSchema(json({$schema, ...tuple})).ok)
    assert.match(problemOf(parseInputSchema(json(tuple))) ?? '', /"\/properties\/a\/items" must be object/)
  }
})

test('an output schema describes any JSON, and may be missing', () => {
  for (const value of [undefined, null]) assert.equal(accepted(parseOutputSchema(value)), undefined)
  for (const schema of [
    OBJECT,
    {type: 'object'},
    {type: 'string', description: 'A message describing the result of the request.'},
    {type: 'array', items: {type: 'object', properties: {id: {type: 'string'}}}},
    {type: ['number', 'null']},
    {$ref: '#/$defs/hit', $defs: {hit: {type: 'object'}}},
    {anyOf: [{type: 'object'}, {type: 'null'}]},
    {},
  ])
    assert.deepEqual(accepted(parseOutputSchema(JSON.stringify(schema))), schema)
})

test('a broken output schema is refused', () => {
  assert.match(problemOf(parseOutputSchema('[]')) ?? '', /^The output schema must be a JSON object/)
  assert.match(problemOf(parseOutputSchema('{"type": "text"}')) ?? '', /^The output schema is not valid/)
  assert.match(problemOf(parseOutputSchema('{')) ?? '', /^The output schema is not valid JSON/)
  assert.match(problemOf(parseOutputSchema(json({required: 1}))) ?? '', /^The output schema is not valid/)
})

test('no set of characters is built for a property escape, of which V8 builds 400 in a second', (t) => {
  const {mock} = t.mock.method(globalThis, 'RegExp')
  accepted(
    parseInputSchema(json({properties: {a: {pattern: `[\\u{1F600}-\\u{1F64F}${'\\p{L}'.repeat(800)}]`}}})),
  )
  for (const {
    arguments: [source, flags],
  } of mock.calls)
    assert.ok(flags === '' || !/\\p/.test(String(source)))
})

test('a pattern is data where it is not a keyword, and may follow browsers’ older rules', () => {
  for (const properties of [
    {pattern: {type: 'string', pattern: '^\\p{L}+$'}},
    {a: {const: {pattern: '['}, default: {pattern: '['}, examples: [{pattern: '['}], enum: [{pattern: '['}]}},
    {a: {pattern: '^[\\w-.]+$'}},
    {a: {pattern: '^[\\u{1F600}-\\u{1F64F}]\\p{L}$'}},
  ])
    accepted(parseInputSchema(json({properties})))
})

const REFUSED: [text: unknown, problem: RegExp][] = [
  [undefined, /missing/],
  [{type: 'object'}, /must be text/],
  ['  ', /empty/],
  ['{', /not valid JSON: close brace expected at line 1, column 2/],
  ['{\n  "type": "object",\n  "properties": {},\n}', /property name expected at line 4, column 1/],
  ['{"type": "object", "properties": {}} x', /at line 1, column 38/],
  ["{'a': 1}", /invalid symbol at line 1, column 2/],
  ['{"a": 01}', /line 1, column 8/],
  ['// note\n{}', /comment token at line 1, column 1/],
  ['['.repeat(30_000), /not valid JSON/],
  ['[]', /must be a JSON object/],
  ['null', /must be a JSON object: .* without arguments, write \{"type": "object", "properties": \{\}\}/],
  ['"object"', /must be a JSON object/],
  ['{"properties": {}}', /give it "type": "object"/],
  ['{"type": ["object"], "properties": {}}', /give it "type": "object"/],
  ['{"type": "object"}', /needs "properties"/],
  ['{"type": "object", "properties": []}', /"properties" must be an object/],
  [json({properties: {a: {type: 'strin'}}}), /"\/properties\/a\/type" must be one of array, boolean/],
  [json({properties: {a: 'string'}}), /"\/properties\/a" must be object or boolean/],
  [json({properties: {a: {minimum: '3'}}}), /"\/properties\/a\/minimum" must be number/],
  [json({properties: {a: {type: 'string', pattern: '['}}}), /pattern "\[" of "a"/],
  [json({properties: {a: {items: {pattern: '(a'}}}}), /pattern "\(a" of "a"/],
  [json({properties: {a: {properties: {b: {pattern: '*'}}}}}), /of "a\.b"/],
  [json({patternProperties: {'+': {}}}), /pattern "\+" is not a regular expression/],
  [json({required: 'a'}), /"\/required" must be array/],
  [json({$schema: 'http://json-schema.org/draft-04/schema#'}), /"\$schema".*draft-07/],
  [json({$schema: 7}), /"\$schema".*draft-07/],
  ['{"type": "object", "properties": {"__proto__": {}}}', /"__proto__"/],
  [`${'{"type":"object","properties":{"a":'.repeat(40)}{}${'}}'.repeat(40)}`, /64 levels/],
  [json({description: 'x'.repeat(70_000)}), /65,536/],
]
for (const [text, problem] of REFUSED) {
  test(`the input schema ${String(JSON.stringify(text)).slice(0, 60)} is refused: ${problem.source}`, () => {
    assert.match(problemOf(parseInputSchema(text)) ?? '', problem)
  })
}
