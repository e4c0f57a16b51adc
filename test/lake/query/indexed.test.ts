import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import type {DocumentStore, Perspective} from '../../../content/store.ts'
import type {View} from '../../../content/view.ts'
import {run} from '../../../lake/query/run.ts'
import {change, environment, storeOf} from '../support/documents.ts'

/** The lake reads fewer documents than these without looking at words. */
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

/** Compares with the evaluation of the same query over a list, for which there are no indexes. */
function check(query: string, view: View): void {
  const all = query.replaceAll(/\*(?=[[{ ])/g, '$all[]')
  const {result: expected} = run(all, {...params, all: view.all()}, view, environment)
  const {result} = run(query, params, view, environment)
  assert.ok(JSON.stringify(result) === JSON.stringify(expected), query)
}

function apply(store: DocumentStore, how: string, number: number, kinds: readonly Kind[]): void {
  const document = documentOf(number, kinds, 1)
  const draft = {...document, _id: `drafts.${document._id}`}
  if (how === 'delete') change(store, document._id)
  else if (how === 'discard') change(store, draft._id)
  else change(store, how === 'draft' ? draft : document)
}

test('documents that are found by indexes are those of a full evaluation, also after changes', () => {
  fc.assert(
    fc.property(kinds, changes, fc.array(search, {minLength: 3, maxLength: 3}), (kinds, changes, queries) => {
      const store = storeOf(...Array.from({length: MANY}, (_, number) => documentOf(number, kinds)))
      const views = (['raw', 'drafts', 'published'] satisfies Perspective[]).map((name) => store.view(name))
      for (const query of queries) for (const view of views) check(query, view)
      for (const {how, number} of changes) apply(store, how, number, kinds)
      for (const query of queries) for (const view of views) check(query, view)
    }),
    {numRuns: 15},
  )
})
