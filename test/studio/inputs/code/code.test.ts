import assert from 'node:assert/strict'
import {test} from 'node:test'
import {CompletionContext} from '@codemirror/autocomplete'
import {javascript} from '@codemirror/lang-javascript'
import {EditorState} from '@codemirror/state'
import {scriptCompletions} from '../../../../studio/inputs/code/completions.ts'
import {
  outputSchemaDiagnostics,
  schemaDiagnostics,
  scriptDiagnostics,
} from '../../../../studio/inputs/code/diagnostics.ts'

const SCHEMA = JSON.stringify({
  type: 'object',
  properties: {city: {type: 'string', description: 'Where to look'}, open: {type: 'boolean'}},
})

/** The labels that are offered at the end of a script, besides those of the language. */
async function offered(script: string): Promise<string[]> {
  const state = EditorState.create({doc: script, extensions: [javascript()]})
  const result = await scriptCompletions(SCHEMA)(new CompletionContext(state, script.length, false))
  return (result?.options ?? []).map(({label}) => label)
}

test('args. offers the parameters, a word what each script has, and globals their members', async () => {
  for (const script of ['return args.', 'return `${args.ci', 'return args?.'])
    assert.deepEqual(await offered(script), ['city', 'open'])
  assert.deepEqual(await offered('s'), ['args', 'signal'])
  assert.deepEqual(await offered('return '), [])
  assert.ok((await offered('Math.')).includes('max'))
})

/** What is underlined, with the start of the message. */
function underlined(text: string, diagnostics: ReturnType<typeof schemaDiagnostics>): string[] {
  return diagnostics.map(({from, to, severity}) => `${severity} ${text.slice(from, to)}`)
}

test('problems of a script are underlined where they are', () => {
  for (const [script, ...expected] of [
    ['return args.town + args.city + args.open', 'warning town'],
    ['return {', 'error {'],
    ['alert(args.city)\nconst open = args.open', 'warning alert', 'warning const'],
    ['', ...[]],
  ] as const)
    assert.deepEqual(underlined(script, scriptDiagnostics(script, SCHEMA)), expected, script)
})

test('problems of parameters are underlined at the name', () => {
  const text = JSON.stringify(
    {
      type: 'object',
      properties: {city: {type: 'string'}},
      required: ['town'],
    },
    null,
    2,
  )
  assert.deepEqual(underlined(text, schemaDiagnostics(text)), ['warning city', 'warning required'])
})

test('an output schema may be empty, and is checked by its own rule', () => {
  assert.deepEqual(outputSchemaDiagnostics(' '), [])
  assert.deepEqual(
    outputSchemaDiagnostics('{"type": "object", "properties": {"id": {"type": "string"}}}'),
    [],
  )
  const [problem, ...more] = outputSchemaDiagnostics('{"type": "text"}')
  assert.match(problem?.message ?? '', /^The output schema is not valid/)
  assert.deepEqual(more, [])
})
