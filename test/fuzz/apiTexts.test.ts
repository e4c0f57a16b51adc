import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {compileAction} from '../../schemas/actions/compile.ts'
import {parseAction} from '../../schemas/actions/parseAction.ts'
import {problemOfAction} from '../../schemas/actions/problem.ts'
import {parseCopied} from '../../schemas/making/copied/copiedTool.ts'
import {proposeName, toolOf} from '../../schemas/making/exchange.ts'
import {type Input, inputsOf} from '../../schemas/making/inputs.ts'
import {parseOpenApi} from '../../schemas/making/openApi.ts'
import {proposeResult} from '../../schemas/making/tree.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {parseScript} from '../../schemas/rules/script.ts'
import type {Fields} from '../../schemas/rules/tool.ts'
import {runs} from '../runner/runs.ts'
import {curlText, openApiText, PLANTED} from './generators/made/apiTexts.ts'

const SITE = 'https://a.example'

/** What the rules accept compiles to a script that they accept, too. */
function assertCompiles(tool: Fields): void {
  const schema = parseInputSchema(tool.inputSchema)
  if (!schema.ok || problemOfAction(tool) !== undefined) return
  const action = parseAction(tool, schema.value)
  assert.ok(action)
  const script = parseScript(compileAction(action, schema.value))
  assert.ok(script.ok, script.ok ? '' : script.problem)
}

// `SEED=…` replays a failure.
const {SEED: seed} = process.env
const options = {seed: seed === undefined ? 20_261_127 : Number(seed)}

test('whatever a cURL command has, its tool compiles, and has no secret, however the values are used', () => {
  fc.assert(
    fc.property(curlText, (text) => {
      const parsed = parseCopied(text)
      if (!parsed.ok) return void assert.match(parsed.problem, /^.{20}/)
      const {exchange} = parsed.value
      const inputs = inputsOf(exchange)
      assert.equal(typeof proposeName(exchange, inputs), 'string')
      const wanted: Input[] = inputs.map((input) => ({...input, use: 'parameter'}))
      for (const chosen of [inputs, wanted]) {
        const result = proposeResult(exchange.answer)
        const tool = toolOf(exchange, {origin: SITE, inputs: chosen, result})
        assert.ok(!JSON.stringify(tool).includes(PLANTED), JSON.stringify(tool))
        assertCompiles(tool)
      }
    }),
    {...options, numRuns: runs(5_000)},
  )
})

test('whatever an OpenAPI file has, it is refused in words, or its tools compile and have no secret', () => {
  fc.assert(
    fc.property(openApiText, (text) => {
      const parsed = parseOpenApi(text, [SITE])
      if (!parsed.ok) return void assert.match(parsed.problem, /^.{20}/)
      for (const {id} of parsed.value.operations.slice(0, 20)) {
        const tool = parsed.value.toolOf(id)
        if (!tool.ok) assert.match(tool.problem, /^.{20}/)
        else {
          assert.ok(!JSON.stringify(tool.value.fields).includes(PLANTED), JSON.stringify(tool.value.fields))
          assertCompiles(tool.value.fields)
        }
      }
    }),
    {...options, numRuns: runs(3_000)},
  )
})
