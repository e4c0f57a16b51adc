import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {describeExpectation} from '../../schemas/rules/tests/words.ts'
import {argumentsOf} from '../../verdicts/arguments.ts'
import {judge, type Outcome} from '../../verdicts/judge.ts'
import {hasTest, keepCall} from '../../verdicts/kept.ts'
import {runs} from '../runner/runs.ts'

const PARAMETERS = {
  type: 'object',
  properties: {
    query: {type: 'string'},
    limit: {type: 'integer'},
    tags: {type: 'array', items: {type: 'string'}},
  },
}

const keep = (outcome: Outcome, args: unknown = {query: 'rope'}) =>
  keepCall({page: '/events?tab=1', arguments: args, outcome}, PARAMETERS)

const expected = (value: unknown, args?: unknown): string => {
  const kept = keep({kind: 'result', value}, args)
  return kept.ok ? kept.value.expect.map(describeExpectation).join('; ') : kept.problem
}

test('a test of a call expects what came back in general, and has values only where nothing else can be expected', () => {
  const rows: [result: unknown, expected: string][] = [
    [
      [{title: 'Rope', price: 9}, {title: 'Twine'}],
      'the result has at least 1 entry; the result has “title” of the first entry',
    ],
    [
      {data: {items: [{'first name': 'Ada'}]}},
      '“data.items” has at least 1 entry; the result has “["first name"]” of the first entry of “data.items”',
    ],
    [{total: 0, items: []}, '“items” is “[]”'],
    [['a', 'b'], 'the result has at least 1 entry'],
    [{structuredContent: {id: 'b1'}}, 'the result has “id”'],
    ['[{"title": "Rope"}]', 'the result has at least 1 entry; the result has “title” of the first entry'],
    [{title: 'Moby-Dick', author: 'Melville'}, 'the result has “title”'],
    [{'': 0, 'a "quoted" name': 1}, 'the result has “["a \\"quoted\\" name"]”'],
    [{'': 0}, 'the call succeeds'],
    ['Added to the cart.', 'the result is “Added to the cart.”'],
    [`${'x'.repeat(300)}\nsecond line`, `the result contains “${'x'.repeat(80)}…”`],
    [42, 'the result is “42”'],
    [{}, 'the call succeeds'],
    [undefined, 'the call succeeds'],
    [null, 'the call succeeds'],
    ['  ', 'the call succeeds'],
    [10n, 'the call succeeds'],
  ]
  for (const [result, sentence] of rows) assert.equal(expected(result), sentence)
})

test('a test of a call that failed expects the first line of its message', () => {
  const kept = keep({kind: 'error', message: ' No event matches.\nTry other words.'})
  assert(kept.ok)
  assert.deepEqual(kept.value, {
    title: 'With query “rope”',
    page: '/events?tab=1',
    arguments: [{name: 'query', value: 'rope'}],
    expect: [{kind: 'fails', member: '', value: 'No event matches.'}],
  })
})

test('arguments are kept as a person types them; what cannot be typed, and a call that did not end, are no test', () => {
  const result = {kind: 'result', value: []} as const
  const kept = keep(result, {query: 'rope', limit: 3, tags: ['a', 'b'], missing: undefined})
  assert(kept.ok)
  assert.deepEqual(argumentsOf(kept.value.arguments, PARAMETERS), {query: 'rope', limit: 3, tags: ['a', 'b']})
  for (const args of [{query: 12}, {query: 'x'.repeat(6_000)}, null, 'rope']) assert(!keep(result, args).ok)
  assert(!keep({kind: 'timeout'}).ok)
})

test('a test of any result passes for that result', () => {
  // Names of methods, as of `{"toString": 1}`, and values that an argument has, too.
  const member = fc.constantFrom('toString', 'valueOf', 'toJSON', 'constructor', 'length', 'query')
  const value = fc.oneof(
    fc.jsonValue({maxDepth: 4}),
    fc.constantFrom('rope', ['rope'], [['rope']], {toString: 1}),
  )
  fc.assert(
    fc.property(fc.oneof(value, fc.dictionary(member, value)), (value) => {
      const kept = keep({kind: 'result', value})
      assert(kept.ok)
      const call = {outcome: {kind: 'result', value}, milliseconds: 1} as const
      assert.deepEqual(judge(kept.value.expect, call, {readsOnly: false}).failures, [])
    }),
    {numRuns: runs(200)},
  )
})

test('a stored test is the same if it calls and expects the same, whatever its title', () => {
  const kept = keep({kind: 'result', value: []})
  assert(kept.ok)
  const stored = {...kept.value, _key: 'a', title: 'Another title'}
  assert(hasTest([{broken: true}, stored], kept.value))
  assert(!hasTest([{...stored, page: '/other'}], kept.value))
})

test('passwords, keys and tokens are kept in no test: neither as arguments, nor in the page, nor in the result', () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'
  const schema = {type: 'object', properties: {pwd: {type: 'string'}, query: {type: 'string'}}}
  const call = (page: string, given: object, value: unknown) =>
    keepCall({page, arguments: given, outcome: {kind: 'result', value}}, schema)
  for (const given of [{pwd: 'hunter2'}, {query: token}]) assert.ok(!call('/login', given, 'Welcome').ok)
  const kept = call(`/events?token=abc&tab=1&state=${token}`, {query: 'rope'}, token)
  assert.ok(kept.ok)
  assert.equal(kept.value.page, '/events?tab=1')
  assert.doesNotMatch(JSON.stringify(kept.value), /eyJ/)
})
