import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import type {DocumentStore, Perspective} from '../../../content/store.ts'
import type {View} from '../../../content/view.ts'
import {prepareResponse, run} from '../../../lake/query/run.ts'
import {runs} from '../../runner/runs.ts'
import {change, environment, storeOf} from '../support/documents.ts'

/** The lake sorts fewer documents for each query. */
const MANY = 600

const params = {types: ['a', 'b'], type: 'a', words: 'fish s*', limit: 7}

/** Values of all types, among them long texts and what GROQ cannot compare. */
const value = fc.constantFrom<unknown>(
  ...[
    null,
    true,
    false,
    0,
    1,
    -2.5,
    '1',
    'foo.bar baz',
    'x',
    'X',
    'Fish soup',
    'fishing. rod',
    'ß',
    'é*',
    '',
  ],
  ...['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.5+01:00', 'soup '.repeat(80), [1], ['Soup', 'x'], {a: 1}],
)

const attributes = fc.record(
  {name: value, n: value, nested: fc.oneof(fc.record({name: value}, {noNullPrototype: true}), value)},
  {requiredKeys: [], noNullPrototype: true},
)

/** Attributes, of which each document has one of some. */
const kinds = fc.array(attributes, {minLength: 1, maxLength: 12})

type Kind = {readonly [name: string]: unknown}

const documentOf = (number: number, kinds: readonly Kind[], shift = 0) => {
  const _id = `${'abcdefg'[(number * 5) % 7]}-${number}`
  return {_id, _type: number % 9 === 0 ? 'b' : 'a', ...kinds[(number + shift) % kinds.length]}
}

const pattern = fc.constantFrom(
  ...[
    '"x"',
    '"x*"',
    '"fi*"',
    '"fish soup"',
    '"soup fish*"',
    '"*"',
    '"f*h"',
    '"ROD."',
    '"fishing.rod"',
    '"é"',
    '"a-1*"',
  ],
  ...[
    '["x", "s*"]',
    '["x", 1]',
    '1',
    'null',
    '$words',
    '^.name',
    '""',
    '"1"',
    '"sou"',
    '"none"',
    '"foo.ba*"',
  ],
)

const text = fc.constantFrom(
  ...['name', 'n', 'nested.name', '[name, n]', '[...nested.name, _id]', 'lower(name)', '@', '_id', 'none'],
  '[@, _id]',
)

const condition = fc.constantFrom(
  ...['M', 'M && _type == "a"', 'M || n == 1', '!(M)', 'M && n > 0', 'M || nested.name match "x*"'],
  '_type in $types && (M || references("a-1"))',
)

/** A `match`, alone or in another condition. */
const matching = fc
  .tuple(text, pattern, fc.boolean(), condition)
  .map(([text, pattern, isSearch, condition]) =>
    condition.replace('M', `${text} match ${isSearch ? `text::query(${pattern})` : pattern}`),
  )

const search = fc
  .tuple(
    fc.constantFrom(
      '*[M]{_id}',
      '*[M][N]._id',
      'count(*[M])',
      'count(*[_type in [$type, 1, null]]) + count(*[$types[1] == _type]) + count(*[_type in $words])',
      '*[_type == "b"]{"same": count(*[_type == ^._type]), "others": count(*[_type in [^.name, "a"]])}',
      '*[M] | order(n desc, name)[0..5]{_id}',
      '*[_type in $types] | score(M, boost(N, 3))[_score > 0]{_id, "k": [_score, name]} | order(k[0] desc, k[1])[0...$limit]',
      '*[_type == "a"] | score(boost(M, 2), ([@, _id] match text::query($words) || references("x")))[_score > 0]',
      '*[M] | score(N)[_score > 0]._id',
      '*[_type == "b"]{"found": *[M][0..2]._id}',
    ),
    matching,
    matching,
  )
  .map(([form, m, n]) => form.replace('M', m).replace('N', n))

const number = fc.integer({min: 0, max: MANY + 20})
const changes = fc.array(fc.record({number, how: fc.constantFrom('edit', 'delete', 'draft', 'discard')}))

const filter = fc.constantFrom(
  ...['', '[_type == "a"]', '[_type in $types]', '[_type in $types && (_type == $type)]', '[n == 1]'],
  ...['[defined(name)][_type == "a"]', '[_type == "a" && n > 0]', '[_type == "none"]'],
)

const key = fc.constantFrom(
  ...[
    'name',
    'n',
    'nested.name',
    '_id',
    '_type',
    '_updatedAt',
    'lower(name)',
    'dateTime(name)',
    'length(name)',
  ],
  ...[
    'coalesce(nested.name, n)',
    'defined(n)',
    'name[0]',
    '@.n',
    'none',
    'n + 1',
    '^.n',
    '$type',
    'string(n)',
  ],
)
const direction = fc.constantFrom('', ' asc', ' desc')
const keys = fc.array(fc.tuple(key, direction), {minLength: 1, maxLength: 3})

const range = fc.constantFrom(
  '[0..4]',
  '[3...9]',
  '[0]',
  '[5]',
  '[0...$limit]',
  '[0..2000]',
  '[2..1]',
  '[-3..-1]',
)

const form = fc.constantFrom(
  (of: string, keys: string, range: string) => `*${of} | order(${keys})${range}`,
  (of: string, keys: string, range: string) =>
    `(*${of} | order(${keys}))${range}{_id, "k": [${unordered(keys)}]}`,
  (of: string, keys: string, range: string) => `*${of} | order(${keys}){_id, n}${range}`,
  (of: string, keys: string, range: string) =>
    `*${of}{_id, "sorted": [${unordered(keys)}]} | order(lower(sorted[0]) desc, sorted[0], sorted[-1])${range}`,
  (of: string, keys: string, range: string) =>
    `*${of}{_id, "n": name, ...nested, "x": @} | order(${keys})${range}`,
  (of: string, keys: string, range: string) => `*${of}{_id, "n": name} | order(${keys}, @.n, ^.n)${range}`,
)

/** Of documents in order, those before or after a value. The order may also be by something else than the condition. */
const bounded = fc
  .tuple(
    fc.constantFrom('n', 'name', '@.name', 'nested', 'nested.name', '_id', 'lower(name)'),
    fc.constantFrom('K', 'K', 'K.name', 'lower(K)', 'n'),
    fc.constantFrom('K > V', 'K >= V', 'K < V', 'K <= V', '(V < K)', 'V >= K', 'K > V || n == 1', 'K != V'),
    fc.constantFrom(
      '0',
      '1',
      '"f"',
      '"fish"',
      'true',
      'null',
      '$words',
      '$type',
      '$types',
      'lower("F")',
      'n',
      '_id',
    ),
    direction,
    fc.constantFrom('*[C]', '*[_type in $types && defined(_id) && C]', '*[C][_type == "a" && name != "x"]'),
    range,
  )
  .map(([key, order, condition, value, direction, form, range]) => {
    const filtered = form.replace(
      'C',
      condition.replace('K', key).replace('V', () => value),
    )
    return `${filtered} | order(${order.replace('K', key)}${direction}, _type)${range}`
  })

const unordered = (keys: string) => keys.replace(/ (asc|desc)/g, '')

const query = fc
  .tuple(form, filter, keys, range)
  .map(([form, filter, keys, range]) => form(filter, keys.map((parts) => parts.join('')).join(', '), range))

/** Compares with the evaluation of the same query over a list, for which there are no indexes. */
async function check(query: string, view: View): Promise<void> {
  const all = query.replaceAll(/\*(?=[[{ ])/g, '$all[]')
  const {result: expected} = await run(all, {...params, all: view.all()}, view, environment)
  const text = JSON.stringify(expected)
  const {result} = await run(query, params, view, environment)
  assert.ok(JSON.stringify(result) === text, query)
  assert.ok(inSlices(query, view) === text, `in slices: ${query}`)
}

function inSlices(query: string, view: View): string {
  const bounds = {milliseconds: 60_000, bytes: 2 ** 26, characters: 2 ** 24}
  const slices = prepareResponse(query, params, view, environment, bounds).inSlices()
  for (;;) {
    const {done, value} = slices.next()
    if (done) return value.json
  }
}

function apply(store: DocumentStore, how: string, number: number, kinds: readonly Kind[]): void {
  const document = documentOf(number, kinds, 1)
  const draft = {...document, _id: `drafts.${document._id}`}
  if (how === 'delete') change(store, document._id)
  else if (how === 'discard') change(store, draft._id)
  else change(store, how === 'draft' ? draft : document)
}

/** Compares queries before and after changes. In one view they run in slices first, in others at once. */
const compared = (query: fc.Arbitrary<string>) =>
  fc.asyncProperty(
    kinds,
    changes,
    fc.array(query, {minLength: 3, maxLength: 3}),
    async (kinds, changes, queries) => {
      const store = storeOf(...Array.from({length: MANY}, (_, number) => documentOf(number, kinds)))
      const [raw, ...others] = (['raw', 'drafts', 'published'] satisfies Perspective[]).map((name) =>
        store.view(name),
      )
      for (const query of queries) {
        if (raw !== undefined) inSlices(query, raw)
        for (const view of others) await check(query, view)
      }
      for (const {how, number} of changes) apply(store, how, number, kinds)
      for (const query of queries)
        for (const view of [raw, ...others]) if (view !== undefined) await check(query, view)
    },
  )

test('what is kept in order is in the order of a full evaluation, also after changes', async () => {
  await fc.assert(compared(query), {numRuns: 40})
})

test('documents before or after a value in an order are those of a full evaluation, also after changes', async () => {
  await fc.assert(compared(bounded), {numRuns: runs(600) / 4})
})

test('documents that are found by their words are those of a full evaluation, also after changes', async () => {
  await fc.assert(compared(search), {numRuns: 15})
})
