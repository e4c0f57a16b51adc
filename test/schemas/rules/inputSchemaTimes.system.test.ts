import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parseInputSchema} from '../../../schemas/rules/inputSchema.ts'
import {accepted} from './problem.ts'

test('a pattern of 800 property escapes does not block for a second', () => {
  const started = performance.now()
  accepted(
    parseInputSchema(
      JSON.stringify({type: 'object', properties: {a: {pattern: `[${'\\p{L}'.repeat(800)}]`}}}),
    ),
  )
  assert.ok(performance.now() - started < 1000, 'V8 needs 2 s to build this set of characters')
})
