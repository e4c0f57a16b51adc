import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {parseCopied, toolOfCopied} from '../../making/copied/copiedTool.ts'
import {askedOf, toolOf} from '../../making/exchange.ts'
import {type Input, inputsOf} from '../../making/inputs.ts'
import {parseOpenApi} from '../../making/openApi.ts'
import {proposeResult} from '../../making/proposeResult.ts'
import {problemOfAction} from '../../schemas/actions/problem.ts'
import type {Fields} from '../../schemas/record.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {parseToolName} from '../../schemas/rules/names/toolName.ts'
import type {Parsed} from '../../schemas/rules/parsed.ts'
import {parseScript} from '../../schemas/rules/script.ts'
import {parseDescription} from '../../schemas/rules/text.ts'
import {scriptOf} from '../actions/support.ts'
import {curlText, openApiText, PLANTED} from '../fuzz/generators/made/apiTexts.ts'
import {runs} from '../runner/runs.ts'
import {accepted} from '../schemas/rules/problem.ts'

const SITE = 'https://a.example'

// `SEED=…` replays a failure.
const {SEED: seed} = process.env
const options = {seed: seed === undefined ? 20_261_128 : Number(seed)}

/** The rules accept what is proposed, and the script that it compiles to; only a description may be missing. */
function assertKeepsRules(tool: Fields): void {
  accepted(parseToolName(tool.name))
  if (tool.description !== undefined) accepted(parseDescription(tool.description))
  assert.equal(problemOfAction(tool), undefined)
  assertCompiles(tool)
}

function assertCompiles(tool: Fields): void {
  accepted(parseScript(scriptOf(tool)))
}

function assertHasNoSecret(tool: Fields): void {
  assert.ok(!JSON.stringify(tool).includes(PLANTED), JSON.stringify(tool))
}

function toolsIn(text: string): Parsed<{readonly fields: Fields}>[] {
  const parsed = parseOpenApi(text, [SITE])
  return parsed.ok ? parsed.value.operations.slice(0, 20).map(({id}) => parsed.value.toolOf(id)) : []
}

test('what is proposed for any cURL command keeps the rules', () => {
  fc.assert(
    fc.property(curlText, (text) => {
      const tool = toolOfCopied(text, [SITE], undefined)
      if (tool.ok) assertKeepsRules(tool.value.fields)
    }),
    {...options, numRuns: runs(5_000)},
  )
})

test('a tool of any cURL command has no secret, however the values are used', () => {
  fc.assert(
    fc.property(curlText, (text) => {
      const parsed = parseCopied(text)
      if (!parsed.ok) return void assert.match(parsed.problem, /^.{20}/)
      const {exchange} = parsed.value
      const inputs = inputsOf(exchange)
      const wanted: Input[] = inputs.map((input) => ({...input, use: 'parameter'}))
      for (const chosen of [inputs, wanted]) {
        const tool = toolOf(exchange, {
          origin: SITE,
          inputs: chosen,
          result: proposeResult(exchange.answer, askedOf(exchange)),
        })
        assertHasNoSecret(tool)
        if (parseInputSchema(tool.inputSchema).ok && problemOfAction(tool) === undefined) assertCompiles(tool)
      }
    }),
    {...options, numRuns: runs(5_000)},
  )
})

test('any OpenAPI file is refused in words, or what is proposed keeps the rules and has no secret', () => {
  fc.assert(
    fc.property(openApiText, (text) => {
      const parsed = parseOpenApi(text, [SITE])
      if (!parsed.ok) return void assert.match(parsed.problem, /^.{20}/)
      for (const tool of toolsIn(text)) {
        if (!tool.ok) assert.match(tool.problem, /^.{20}/)
        else {
          assertKeepsRules(tool.value.fields)
          assertHasNoSecret(tool.value.fields)
        }
      }
    }),
    {...options, numRuns: runs(3_000)},
  )
})

const word = fc.constantFrom('q', 'city', 'x-y', 'ids[]', '$filter', 'filter[status]', 'given.name', 'größe')
const kind = fc.constantFrom<object>(
  {type: 'string', nullable: true},
  {type: ['integer', 'null'], format: 'int64'},
  {anyOf: [{type: 'array', items: {type: 'string'}}, {type: 'null'}]},
  {oneOf: [{type: 'number'}, {enum: ['a', 'b']}]},
  {const: 'x'},
  {type: 'object', properties: {a: {type: 'boolean'}}},
)
const place = fc.record({
  name: word,
  in: fc.constantFrom('query', 'path'),
  schema: kind,
  explode: fc.boolean(),
  style: fc.constantFrom('form', 'deepObject', 'pipeDelimited'),
})

/** What APIs do describe, which no rule should refuse. */
test('a usual operation becomes a tool', () => {
  const members = fc.dictionary(word, kind, {minKeys: 1, maxKeys: 4})
  const parameters = fc.uniqueArray(place, {maxLength: 4, selector: ({name}) => name})
  const media = fc.constantFrom(
    'application/json',
    'application/vnd.api+json',
    '*/*',
    'application/x-www-form-urlencoded',
  )
  fc.assert(
    fc.property(parameters, members, media, (given, properties, type) => {
      const content = {[type]: {schema: {type: 'object', properties}}}
      const path = given.filter((one) => one.in === 'path').map(({name}) => `/{${name}}`)
      const operation = {parameters: given, requestBody: {content}, responses: {200: {content}}}
      fc.pre(
        type !== 'application/x-www-form-urlencoded' ||
          Object.values(properties).some((one) => !('properties' in one)),
      )
      const document = {openapi: '3.1.0', paths: {[`/a${path.join('')}`]: {post: operation}}}
      const [tool] = toolsIn(JSON.stringify(document))
      assert.ok(tool?.ok, tool?.ok === false ? tool.problem : 'no tool')
      assertKeepsRules(tool.value.fields)
    }),
    {...options, numRuns: runs(2_000)},
  )
})
