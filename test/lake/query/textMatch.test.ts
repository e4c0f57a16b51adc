import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {evaluateSync, parse} from 'groq-js'
import {Budget} from '../../../lake/query/budget.ts'
import {QueryError} from '../../../lake/query/errors.ts'
import {PathPattern} from '../../../lake/query/evaluate/pathPattern.ts'
import {matches, Patterns} from '../../../lake/query/evaluate/textMatch.ts'
import {runs} from '../../runner/runs.ts'

function budget(): Budget {
  const made = new Budget({bytes: 2 ** 26, milliseconds: 60_000})
  return made
}

/** The result of groq-js for a query with these parameters. */
function plainly(query: string, params: Record<string, unknown>): unknown {
  return evaluateSync(parse(query), {params}).data
}

const text = fc
  .array(
    fc.constantFrom('a', 'A', 'b', 'ß', 'ſ', 's', '.', '..', ' ', '-', '*', '*a', 'ab', '_', 'é', '\n'),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''))
const texts = fc.oneof(text, fc.array(fc.oneof(text, fc.constant(null)), {maxLength: 3}))

test('match returns the same as groq-js', () => {
  const tree = '$text match $pattern'
  fc.assert(
    fc.property(texts, texts, (value, pattern) => {
      const expected = plainly(tree, {text: value, pattern})
      assert.equal(matches(value, pattern, new Patterns(), budget()), expected)
    }),
    {numRuns: runs(5_000)},
  )
})

test('path patterns match the same ids as in groq-js', () => {
  const part = fc.constantFrom('a', 'b', 'drafts', '*', '**', '')
  const id = fc
    .array(fc.constantFrom('a', 'b', 'drafts', '.', '-', '\n'), {maxLength: 8})
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(part, {minLength: 1, maxLength: 4}), id, (parts, value) => {
      fc.pre(parts.filter((one) => one.startsWith('*')).length <= 2)
      const pattern = parts.join('.')
      const expected = plainly('$id in path($pattern)', {id: value, pattern})
      assert.equal(new PathPattern(pattern).matches(value, budget()), expected)
    }),
    {numRuns: runs(5_000)},
  )
})

test('patterns with many stars match without combinatorial backtracking', () => {
  const word = 'a'.repeat(100_000)
  assert.equal(matches(word, `${'*a'.repeat(100)}*b`, new Patterns(), budget()), false)
  assert.equal(matches(word, `${'*a'.repeat(100)}*`, new Patterns(), budget()), true)
  assert.equal(new PathPattern('**.**.b').matches('a'.repeat(1_000), budget()), false)
  assert.equal(matches('.'.repeat(1_000_000), 'a', new Patterns(), budget()), false)
})

test('a pattern or word that is too long is rejected', () => {
  assert.throws(() => matches('a', 'a '.repeat(6_000), new Patterns(), budget()), QueryError)
  assert.throws(() => matches('a'.repeat(1_000_000), 'a'.repeat(1_000), new Patterns(), budget()), QueryError)
  for (const pattern of ['a'.repeat(1_001), '**.*.**'])
    assert.throws(() => new PathPattern(pattern), QueryError)
  assert.throws(() => new PathPattern('**').matches('a'.repeat(1_001), budget()), QueryError)
})

test('a long pattern of few terms matches, and one of many terms is refused', () => {
  const long = '1234567890'.repeat(10_000)
  assert.equal(matches('id', long, new Patterns(), budget()), false)
  assert.equal(matches('id', `i* ${long}`, new Patterns(), budget()), false)
  assert.throws(() => matches('id', 'i* '.repeat(4_000), new Patterns(), budget()), QueryError)
  assert.throws(() => matches('id', long.repeat(3), new Patterns(), budget()), QueryError)
})
