import assert from 'node:assert/strict'
import {test} from 'node:test'
import {CompletionContext} from '@codemirror/autocomplete'
import {javascript} from '@codemirror/lang-javascript'
import {ensureSyntaxTree} from '@codemirror/language'
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

/** The labels that are offered at the end of a script. */
async function offered(script: string): Promise<string[]> {
  const created = EditorState.create({doc: script, extensions: [javascript()]})
  // An editor parses in slices of some milliseconds, and has what was parsed with its next state.
  assert.ok(ensureSyntaxTree(created, script.length, 10_000))
  const {state} = created.update({})
  const result = await scriptCompletions(SCHEMA)(new CompletionContext(state, script.length, false))
  return (result?.options ?? []).map(({label}) => label)
}

test('args. offers the parameters, with kind and description', async () => {
  assert.deepEqual(await offered('return args.'), ['city', 'open'])
  assert.deepEqual(await offered('return `${args.ci'), ['city', 'open'])
  assert.deepEqual(await offered('return args?.'), ['city', 'open'])
  const state = EditorState.create({doc: 'args.', extensions: [javascript()]})
  const result = await scriptCompletions(SCHEMA)(new CompletionContext(state, 5, false))
  assert.deepEqual(result?.options[0], {
    label: 'city',
    type: 'property',
    detail: 'text',
    info: 'Where to look',
  })
})

test('a word offers what a script may use, and its own variables', async () => {
  const labels = await offered('const stores = []\nfor (const store of stores) {\n  s')
  for (const label of ['args', 'fetch', 'return', 'stores', 'store']) assert.ok(labels.includes(label), label)
  assert.deepEqual(await offered('return '), [])
})

/** What is underlined, with the start of the message. */
function underlined(text: string, diagnostics: ReturnType<typeof schemaDiagnostics>): string[] {
  return diagnostics.map(({from, to, severity}) => `${severity} ${text.slice(from, to)}`)
}

test('problems of a script are underlined where they are', () => {
  for (const [script, ...expected] of [
    ['return args.town + args.city + args.open', 'warning town'],
    ['const r = await fetch(args.city)\nreturn [r.stores, args.open]', 'info fetch'],
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
      properties: {city: {type: 'string'}, day: {type: 'string', format: 'date', description: 'When to go'}},
      required: ['town'],
    },
    null,
    2,
  )
  assert.deepEqual(underlined(text, schemaDiagnostics(text)), [
    'warning city',
    'warning required',
    'warning format',
  ])
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
