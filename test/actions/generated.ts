import assert from 'node:assert/strict'
import fc from 'fast-check'
import {parseAction} from '../../schemas/actions/parseAction.ts'
import {problemOfAction} from '../../schemas/actions/problem.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {accepted} from '../schemas/rules/problem.ts'
import {words} from '../support/words.ts'

/** What breaks texts of JavaScript, URLs, JSON and HTML. */
const HOSTILE = [
  ...words(`
    ' " \\ \${args} '+alert(1)+' </script> <!-- --> */ // .. . / //evil.example ? # & = % %2F %2e%2e \\.. : @ { } []
    😀 __proto__ constructor toString javascript: true null 5 class await args.query item?.title {}
  `),
  ...['', '`', '`+alert(1)+`', '\n', '\r', '\u2028', '\0', '\ud800', '\udc00', '\u202e', '\u200b', '\ufeff'],
]

export const text = fc.oneof(
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
export const schema = accepted(
  parseInputSchema(
    JSON.stringify({
      type: 'object',
      properties: PARAMETERS,
      required: ['query', 'postal code', 'count', 'branch'],
    }),
  ),
)

export const args = fc.record(
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

const sent = fc.oneof(
  fc.record({parameter}),
  fc.record({value: text}),
  fc.record({value: fc.json(), format: fc.constant('json')}),
  fc.record({
    selector: fc.oneof(fc.constantFrom('meta[name=a]'), text),
    attribute: fc.constantFrom('content', ''),
  }),
  fc.record({cookie: fc.oneof(fc.constantFrom('a', "b'"), text)}),
)
const inside = fc.record({
  inside: fc.constantFrom('json', 'query'),
  member: fc.oneof(fc.constantFrom('a', 'a.b', 'a[0]'), text),
})
const row = fc
  .tuple(
    fc.record({name}),
    sent,
    fc.oneof({weight: 3, arbitrary: fc.constant({})}, {weight: 1, arbitrary: inside}),
  )
  .map((parts) => Object.assign({}, ...parts))
const rows = fc.array(row, {maxLength: 4})
const path = fc.oneof(
  fc.constantFrom('', 'items', 'data.items', 'a[0].b', 'authors[].name', '["a.b"]', '[0]', '[].x', 'a.0.b'),
  name.map((one) => JSON.stringify([one])),
  text,
)
const members = fc.uniqueArray(fc.record({name, path}), {maxLength: 3, selector: (one) => one.name})
const part = fc.record({
  name,
  selector: fc.oneof(fc.constantFrom('h1', 'table.x > tr:has(td)', `[data-x="\\"'\`\${}"]`, '#a\\:b'), text),
  kind: fc.constantFrom('text', 'attribute', 'table', 'items', 'list', 'definitions', 'links'),
  attribute: fc.oneof(fc.constantFrom('href', 'data-x'), text),
  columns: fc.array(name, {maxLength: 2}),
  fields: fc.array(
    fc.record({
      name,
      selector: fc.constantFrom('', 'h3', `[data-x="\\"'\`\${}"]`),
      kind: fc.constantFrom('text', 'address', 'attribute'),
      attribute: fc.constantFrom('href', 'data-x'),
    }),
    {maxLength: 3},
  ),
})
const result = fc.oneof(
  fc.record({kind: fc.constantFrom('list', 'object'), path, members, limit: fc.constantFrom(1, 5)}),
  fc.record({kind: fc.constantFrom('text', 'message'), message: text}),
  fc.record({
    kind: fc.constant('parts'),
    parts: fc.array(part, {minLength: 1, maxLength: 2}),
    pages: fc.constantFrom(1, 5),
  }),
)
export const request = fc.record(
  {
    method: fc.constantFrom('GET', 'POST', 'DELETE'),
    encoding: fc.constantFrom('json', 'form'),
    address,
    headers: fc.array(
      fc
        .tuple(fc.record({name: fc.constantFrom('X-A', 'b', 'x y')}), sent)
        .map((parts) => Object.assign({}, ...parts)),
      {maxLength: 2},
    ),
    query: rows,
    body: rows,
    result,
    nothing: fc.oneof(text, fc.constant('Nothing for {query} or {open}')),
    error: fc.constantFrom('fault.reason', 'message'),
  },
  {requiredKeys: ['address', 'result']},
)
/** A tool without a script, which may break rules. */
export const tool = fc.oneof(
  {weight: 6, arbitrary: request.map((one) => ({action: 'request', request: one}))},
  {
    weight: 2,
    arbitrary: fc.array(part, {maxLength: 3}).map((parts) => ({action: 'reading', reading: {parts}})),
  },
  {weight: 2, arbitrary: address.map((one) => ({action: 'link', link: {address: one}}))},
)

/** The actions among generated ones that the rules accept. */
export function parsed(generated: Record<string, unknown>) {
  // Rules refuse with words, and never fail.
  const problem = problemOfAction({...generated, inputSchema: JSON.stringify(schema)})
  assert.ok(problem === undefined || problem.message.length > 10)
  return problem === undefined ? parseAction(generated, schema) : undefined
}
