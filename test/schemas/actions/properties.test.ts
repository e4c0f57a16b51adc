import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {compileAction} from '../../../schemas/actions/compile.ts'
import {parseAction} from '../../../schemas/actions/parseAction.ts'
import {problemOfAction} from '../../../schemas/actions/problem.ts'
import {parseInputSchema} from '../../../schemas/rules/inputSchema.ts'
import {parseScript} from '../../../schemas/rules/script.ts'
import {runs} from '../../runner/runs.ts'
import {accepted} from '../rules/problem.ts'
import {ORIGIN, run} from './support.ts'

/** What breaks texts of JavaScript, URLs, JSON and HTML. */
const HOSTILE = [
  ...[
    "'",
    '"',
    '`',
    '\\',
    '${args}',
    '`+alert(1)+`',
    '</script>',
    '<!--',
    '-->',
    '*/',
    '//',
    '\n',
    '\r',
    '\u2028',
    '\0',
  ],
  ...[
    '..',
    '.',
    '',
    '/',
    '//evil.example',
    '?',
    '#',
    '&',
    '=',
    '%',
    '%2F',
    '%2e%2e',
    '\\..',
    ':',
    '@',
    '{',
    '}',
    '[]',
  ],
  ...[
    '\ud800',
    '\udc00',
    '\u202e',
    '\u200b',
    '😀',
    '\ufeff',
    '__proto__',
    'constructor',
    'toString',
    'javascript:',
  ],
]

const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({unit: 'binary', maxLength: 12}),
  fc.array(fc.constantFrom(...HOSTILE, 'a', 'ö'), {maxLength: 4}).map((parts) => parts.join('')),
)
const name = fc.oneof(fc.constantFrom('title', 'a', 'b c', 'data', 'x-y', '名'), text)

/** Parameters by their names: these are all required. */
const PARAMETERS = {
  query: {type: 'string'},
  'postal code': {type: 'string'},
  count: {type: 'integer'},
  open: {type: 'boolean'},
  tags: {type: 'array', items: {type: 'string'}},
  branch: {enum: ["it's", 1, true]},
} as const
const parameter = fc.constantFrom(...Object.keys(PARAMETERS))
const schema = accepted(
  parseInputSchema(
    JSON.stringify({
      type: 'object',
      properties: PARAMETERS,
      required: ['query', 'postal code', 'count', 'branch'],
    }),
  ),
)

const args = fc.record(
  {
    query: text,
    'postal code': text,
    count: fc.integer(),
    branch: fc.constantFrom<string | number | boolean>("it's", 1, true),
    open: fc.boolean(),
    tags: fc.array(text, {maxLength: 3}),
  },
  {requiredKeys: ['query', 'postal code', 'count', 'branch']},
)

const piece = fc.oneof(
  {weight: 3, arbitrary: fc.constantFrom('/api', '/events', '/', '-', '.json', '/é b', '/%7Bx', '/v1;a=b')},
  {weight: 2, arbitrary: parameter.map((one) => `{${one}}`)},
  {weight: 1, arbitrary: text},
)
const pieces = fc.array(piece, {maxLength: 4}).map((parts) => parts.join(''))
const query = fc.array(
  fc.tuple(
    name,
    fc.oneof(
      text,
      parameter.map((one) => `{${one}}`),
    ),
  ),
  {maxLength: 3},
)
const address = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom('', 'https://api.example.com', 'http://[::1]:80'), pieces, query)
      .map(
        ([origin, path, parts]) =>
          `${origin}/x${path}${parts.length === 0 ? '' : `?${parts.map((part) => part.join('=')).join('&')}`}`,
      ),
  },
  {weight: 1, arbitrary: text},
)

const row = fc.oneof(
  fc.record({name, parameter}),
  fc.record({name, value: text}),
  fc.record({name, value: fc.json(), format: fc.constant('json')}),
)
const rows = fc.array(row, {maxLength: 4})
const path = fc.oneof(
  fc.constantFrom('', 'items', 'data.items', 'a[0].b', 'authors[].name', '["a.b"]', '[0]', '[].x', 'a.0.b'),
  name.map((one) => JSON.stringify([one])),
  text,
)
const members = fc.uniqueArray(fc.record({name, path}), {maxLength: 3, selector: (one) => one.name})
const result = fc.oneof(
  fc.record({kind: fc.constantFrom('list', 'object'), path, members, limit: fc.constantFrom(1, 5)}),
  fc.record({kind: fc.constantFrom('text', 'message'), message: text}),
)
const request = fc.record(
  {
    method: fc.constantFrom('GET', 'POST', 'DELETE'),
    encoding: fc.constantFrom('json', 'form'),
    address,
    query: rows,
    body: rows,
    result,
    nothing: fc.oneof(text, fc.constant('Nothing for {query} or {open}')),
  },
  {requiredKeys: ['address', 'result']},
)
const part = fc.record({
  name,
  selector: fc.oneof(fc.constantFrom('h1', 'table.x > tr:has(td)', '[data-x="\\"\'`${}"]', '#a\\:b'), text),
  kind: fc.constantFrom('text', 'attribute', 'table', 'list', 'definitions', 'links'),
  attribute: fc.oneof(fc.constantFrom('href', 'data-x'), text),
  columns: fc.array(name, {maxLength: 2}),
})
const tool = fc.oneof(
  {weight: 6, arbitrary: request.map((one) => ({action: 'request', request: one}))},
  {
    weight: 2,
    arbitrary: fc.array(part, {maxLength: 3}).map((parts) => ({action: 'reading', reading: {parts}})),
  },
  {weight: 2, arbitrary: address.map((one) => ({action: 'link', link: {address: one}}))},
)

/** What a server may send. */
const response = fc.oneof(
  fc.tuple(fc.json(), fc.constantFrom(200, 201, 400, 404, 503)).map(
    ([body, status]) =>
      () =>
        new Response(body, {status}),
  ),
  fc
    .array(
      fc.oneof(
        fc.jsonValue(),
        fc.record({title: text, secret: text, authors: fc.array(fc.record({name: text}))}),
      ),
    )
    .chain((items) => fc.constantFrom<unknown>(items, {items}, {data: {items}}, items[0]))
    .map((body) => () => new Response(JSON.stringify(body) ?? '')),
  fc.constant(() => new Response(null, {status: 204})),
  fc.constant(() => Promise.reject(new TypeError('Failed to fetch'))),
)

const MESSAGES =
  /^(?:Nothing was found|The request failed with status \d+\. |The website (?:did not|sent|could not|refused) |“.{0,2}” cannot be a part of an address\. |This page does not have )/s

/** The actions among generated ones that the rules accept. */
function parsed(generated: Record<string, unknown>) {
  // Rules refuse with words, and never fail.
  const problem = problemOfAction({...generated, inputSchema: JSON.stringify(schema)})
  assert.ok(problem === undefined || problem.message.length > 10)
  return problem === undefined ? parseAction(generated, schema) : undefined
}

test('an action that the rules accept is a script that the rules accept', () => {
  fc.assert(
    fc.property(tool, (generated) => {
      const action = parsed(generated)
      fc.pre(action !== undefined)
      const script = compileAction(action, schema)
      assert.equal(accepted(parseScript(script)), script)
      assert.equal(compileAction(action, schema), script)
    }),
    {numRuns: runs(10_000)},
  )
})

test('a script of an action fails with its own messages, and returns only what was chosen', async () => {
  await fc.assert(
    fc.asyncProperty(request, args, response, async (generated, given, respond) => {
      const action = parsed({action: 'request', request: generated})
      fc.pre(action?.kind === 'request')
      try {
        const {result: returned} = await run(compileAction(action, schema), given, respond)
        if (action.result.kind !== 'list' && action.result.kind !== 'object')
          return void assert.equal(typeof returned, 'string')
        if (action.result.members.length === 0) return
        const names = action.result.members.map((member) => member.name)
        if (action.result.kind === 'list')
          assert.ok(Array.isArray(returned) && returned.length <= action.result.limit)
        for (const entry of Array.isArray(returned) ? returned : [returned]) {
          assert.deepEqual(
            Object.keys(entry).filter((key) => !names.includes(key)),
            [],
          )
        }
      } catch (error) {
        assert.ok(error instanceof Error)
        if (error instanceof assert.AssertionError) throw error
        if (action.nothing === undefined) assert.match(error.message, MESSAGES)
      }
    }),
    {numRuns: runs(10_000)},
  )
})

test('an argument stays in its place of the address', async () => {
  const place = fc.record({
    origin: fc.constantFrom('', 'https://api.example.com'),
    parts: fc.array(fc.constantFrom('api', 'a b', '{query}', '{postal code}', '{count}'), {
      minLength: 1,
      maxLength: 4,
    }),
    names: fc.uniqueArray(fc.constantFrom('q', 'a[]', 'x y', '&'), {maxLength: 2}),
  })
  await fc.assert(
    fc.asyncProperty(place, args, async ({origin, parts, names}, given) => {
      const request = {
        address: `${origin}/${parts.join('/')}`,
        query: names.map((one) => ({name: one, parameter: 'postal code'})),
        result: {kind: 'message'},
      }
      const action = parseAction({action: 'request', request}, schema)
      assert.ok(action !== undefined)
      const call = run(compileAction(action, schema), given, () => new Response())
      const values = parts.map((one) => {
        const used = Object.entries(given).find(([key]) => one === `{${key}}`)
        return used === undefined ? one : String(used[1]).toWellFormed()
      })
      if (values.some((value) => /^\.{0,2}$/.test(value)))
        return assert.rejects(call, {message: /cannot be a part of an address/})
      const url = new URL((await call).sent[0]?.url ?? '')
      assert.equal(url.origin, origin || ORIGIN)
      assert.deepEqual(url.pathname.split('/').slice(1).map(decodeURIComponent), values)
      assert.equal(url.hash, '')
      const expected = names.map((one) => [one, given['postal code'].toWellFormed()])
      assert.deepEqual([...url.searchParams], expected)
    }),
    {numRuns: runs(10_000)},
  )
})
