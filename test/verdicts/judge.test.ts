import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {type Expectation, type ExpectationKind, KINDS} from '../../schemas/rules/tests/toolTests.ts'
import {type FinishedCall, type JudgedTool, judge, type Outcome} from '../../verdicts/judge.ts'
import {runs} from '../runner/runs.ts'

const READS: JudgedTool = {readsOnly: true}
const CHANGES: JudgedTool = {readsOnly: false}

function expectation(kind: ExpectationKind, member = '', value = ''): Expectation {
  return {kind, member, value}
}

function returned(value: unknown, more: Partial<FinishedCall> = {}): FinishedCall {
  return {outcome: {kind: 'result', value}, milliseconds: 20, ...more}
}

function failed(message: string): FinishedCall {
  return {outcome: {kind: 'error', message}, milliseconds: 20}
}

const HITS = {products: [{name: 'Mooring Rope', price: 48, tags: ['deck']}], total: 1}

const PASS: readonly [name: string, expect: Expectation[], call: FinishedCall, tool?: JudgedTool][] = [
  ['a call that returns something', [], returned(HITS)],
  ['a member that is there', [expectation('exists', 'products[0].tags[0]')], returned(HITS)],
  ['a text that is equal', [expectation('equals', 'products[0].name', 'Mooring Rope')], returned(HITS)],
  [
    'an identifier that JavaScript would round',
    [expectation('equals', '', '{"id": 653247040368672768}')],
    returned({id: '653247040368672768'}),
  ],
  ['a number that is equal', [expectation('equals', 'total', '1')], returned(HITS)],
  [
    'an object that is equal',
    [expectation('equals', '', '{"b": [1], "a": null}')],
    returned({a: null, b: [1]}),
  ],
  ['a text that contains words, in any case', [expectation('contains', '', 'mooring rope')], returned(HITS)],
  ['a list with an entry', [expectation('contains', 'products[0].tags', 'deck')], returned(HITS)],
  ['a pattern', [expectation('matches', 'total', '^\\d+$')], returned(HITS)],
  ['a list that is long enough', [expectation('atLeast', 'products', '1')], returned(HITS)],
  ['JSON in a text', [expectation('exists', 'total')], returned(JSON.stringify(HITS))],
  ['structured content', [expectation('exists', 'total')], returned({content: [], structuredContent: HITS})],
  [
    'JSON in the text of a result in MCP’s shape',
    [expectation('exists', 'total')],
    returned({content: [{type: 'text', text: JSON.stringify(HITS)}]}),
  ],
  [
    'nothing found, which no schema of results describes',
    [],
    returned({found: 0, message: 'Nothing was found.'}),
    {readsOnly: true, members: ['title'], outputSchema: {type: 'array'}},
  ],
  ['a question to the visitor', [expectation('asksVisitor')], returned({}), {readsOnly: false, asks: true}],
  ['a failure that is expected', [expectation('fails')], failed('There is no product "x".')],
  ['a failure with words', [expectation('fails', '', 'no product')], failed('There is no product "x".')],
  [
    'a page that goes on',
    [expectation('goesTo', '', '/cart/')],
    returned(undefined, {wentTo: '/cart?a=1'}),
    CHANGES,
  ],
  [
    'an output schema',
    [expectation('outputSchema')],
    returned(HITS),
    {readsOnly: true, outputSchema: {type: 'object', required: ['total']}},
  ],
]
for (const [name, expect, call, tool = READS] of PASS) {
  test(`passes: ${name}`, () => assert.deepEqual(judge(expect, call, tool), {failures: [], warnings: []}))
}

const FAIL: readonly [
  name: string,
  expect: Expectation[],
  call: FinishedCall,
  sentence: string,
  tool?: JudgedTool,
][] = [
  [
    'a renamed member',
    [expectation('exists', 'title')],
    returned({data: {items: [1]}}),
    'The result has no member “title”: it is {data: {items: […]}}.',
  ],
  [
    'a member of an entry',
    [expectation('exists', 'products[0].title')],
    returned(HITS),
    'The first entry of “products” has no member “title”: it is {name: “Mooring Rope”, price: 48, tags: […]}.',
  ],
  [
    'an empty list',
    [expectation('atLeast', 'products', '1')],
    returned({products: []}),
    '“products” is an empty list, and should have at least 1 entry.',
  ],
  [
    'the entry of an empty list',
    [expectation('exists', '[0].id')],
    returned([]),
    'The result is an empty list.',
  ],
  [
    'an entry beyond the end',
    [expectation('exists', 'products[4]')],
    returned(HITS),
    '“products” has only 1 entry: there is no entry 5.',
  ],
  [
    'a list that is no list any more',
    [expectation('atLeast', 'products', '1')],
    returned({products: {}}),
    '“products” is not a list: it is {}.',
  ],
  ['another text', [expectation('equals', 'total', '2')], returned(HITS), '“total” is 1, and not “2”.'],
  [
    'a web page for a result',
    [expectation('contains', '', 'rope')],
    returned('<!doctype html>'),
    'The result does not contain “rope”: it is “<!doctype html>”.',
  ],
  ['a failure', [], failed('status 404'), 'The call failed: “status 404”.'],
  ['a failure that is a sentence', [], failed('Not found.'), 'The call failed: “Not found.”'],
  [
    'a failure with other words',
    [expectation('fails', '', 'sold out')],
    failed('status 404'),
    'The call failed and said “status 404”, and not “sold out”.',
  ],
  [
    'a result instead of a failure',
    [expectation('fails', '', 'sold out')],
    returned({ok: true}),
    'The call should fail and say “sold out”, but it returned {ok: true}.',
  ],
  ['nothing, of a tool that reads', [], returned(null), 'The call returned nothing.'],
  [
    'a page that stays',
    [expectation('goesTo', '', '/cart')],
    returned({}),
    'The page stayed where it is, and should go to /cart.',
  ],
  [
    'a page that goes elsewhere',
    [expectation('goesTo', '', '/cart')],
    returned(undefined, {wentTo: '/login'}),
    'The page went to /login, and not to /cart.',
    CHANGES,
  ],
  [
    'a slow call',
    [],
    returned(HITS, {milliseconds: 6_100}),
    'The call took 6.1 s: more than 5 s, so agents may give up.',
  ],
  [
    'a call that does not end',
    [],
    {outcome: {kind: 'timeout'}, milliseconds: 30_000},
    'The call did not end within 30 s.',
  ],
  [
    'a large result',
    [],
    returned('x'.repeat(20_000)),
    'The result has 20 KB: return at most 16 KB, only what the agent needs.',
  ],
  ['no JSON', [], returned(() => 1), 'The result cannot be sent to an agent: it is not JSON.'],
  [
    'another output schema',
    [],
    returned({total: 'one'}),
    '“total” does not match the output schema: it must be number: it is “one”.',
    {readsOnly: true, outputSchema: {properties: {total: {type: 'number'}}}},
  ],
  [
    'a list in which no entry has a chosen member',
    [expectation('atLeast', '', '1')],
    returned([{id: 1}, {id: 2, price: 3}, '2 more not shown']),
    'No entry has “title”: the website may have renamed it.',
    {readsOnly: true, members: ['id', 'title', 'price']},
  ],
  [
    'nothing found, with the reason instead of what it lacks',
    [expectation('exists', '[0].title'), expectation('atLeast', '', '1')],
    returned({found: 0, message: 'Nothing was found for “x”.'}),
    'The call found nothing: “Nothing was found for “x”.”.',
  ],
  [
    'a tool that does not ask the visitor',
    [expectation('asksVisitor')],
    returned({}),
    'The page does not ask the visitor before this call.',
    {readsOnly: false, asks: false},
  ],
  ['no output schema', [expectation('outputSchema')], returned({}), 'The tool has no output schema.'],
]
for (const [name, expect, call, sentence, tool = READS] of FAIL) {
  test(`fails: ${name}`, () => assert.deepEqual(judge(expect, call, tool).failures, [sentence]))
}

test('what does not break a tool is a warning', () => {
  const warnings = (call: FinishedCall, tool = CHANGES) => judge([], call, tool).warnings
  assert.match(warnings(returned('x'.repeat(1_600))).join(), /^The result has 1,602 characters/)
  assert.match(warnings(returned(undefined)).join(), /^The call returned nothing, so an agent/)
  assert.match(warnings(returned(HITS, {wentTo: '/x'}), READS).join(), /^The page went to \/x, although/)
})

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({
    kind: fc.constant('result' as const),
    value: fc.oneof(
      fc.jsonValue(),
      fc.anything({withBigInt: true, withMap: true, withDate: true, withNullPrototype: true}),
    ),
  }),
  fc.record({kind: fc.constant('error' as const), message: fc.string({maxLength: 5_000})}),
  fc.constant({kind: 'timeout' as const}),
)
const call: fc.Arbitrary<FinishedCall> = fc.record({
  outcome,
  milliseconds: fc.nat(),
  wentTo: fc.option(fc.webPath(), {nil: undefined}),
})
const names = fc.oneof(fc.constantFrom('', 'a', 'a.b', '[0].a', 'a[3]', '__proto__'), fc.string())
const expectations = fc.array(
  fc.record({
    kind: fc.constantFrom<ExpectationKind>(
      'succeeds',
      'exists',
      'equals',
      'contains',
      'matches',
      'atLeast',
      'goesTo',
      'fails',
      'outputSchema',
    ),
    member: names,
    value: fc.string({maxLength: 2_000}),
  }),
  {maxLength: 5},
)
test('nothing may be the answer, if the output schema says so', () => {
  const outputSchema = {type: ['integer', 'null']}
  const judged = (value: unknown) => judge([], returned(value), {readsOnly: true, outputSchema}).failures
  assert.deepEqual(judged(null), [])
  assert.deepEqual(judged(undefined), ['The call returned nothing.'])
})

const schemas = fc.constantFrom(
  undefined,
  {type: 'object', properties: {a: {type: 'array', items: {type: 'string'}}}},
  {$ref: '#/nowhere'},
)

test('whatever a call returns, the judge says the same short sentences each time', () => {
  fc.assert(
    fc.property(expectations, call, fc.boolean(), schemas, (expect, call, readsOnly, outputSchema) => {
      const verdict = judge(expect, call, {readsOnly, outputSchema})
      assert.deepEqual(judge(expect, call, {readsOnly, outputSchema}), verdict)
      for (const sentence of [...verdict.failures, ...verdict.warnings]) {
        assert.match(sentence, /^[\p{Lu}“].*[.!?…]”?$/su)
        assert.ok(sentence.length <= 401, sentence)
      }
    }),
    {numRuns: runs(5_000)},
  )
})

test('every kind of expectation is judged here', () => {
  const judged = [...PASS, ...FAIL].flatMap(([, expect]) => expect.map(({kind}) => kind))
  assert.deepEqual([...new Set(judged), 'succeeds'].sort(), Object.keys(KINDS).sort())
})
