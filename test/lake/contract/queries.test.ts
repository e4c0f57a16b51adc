import assert from 'node:assert/strict'
import {ClientError} from '@sanity/client'
import {assertRefused, contract, type Target} from './target.ts'

const run = {n: 3, list: [1, 2, 3], text: 'Hello World'}

/** Queries without documents, with `$n`, `$list` and `$text`. https://spec.groq.dev/GROQ-1.revision1/ */
const rows: [query: string, result: unknown][] = [
  ['1 + 2 * 3 ** 2', 19],
  ['7 % 3', 1],
  ['2 ** 3 % 5', 3],
  ['"a" + "b"', 'ab'],
  ['[1, ...[2, 3]]', [1, 2, 3]],
  ['{"a": 1, ...{"b": 2}}', {a: 1, b: 2}],
  ['1 == 1.0', true],
  ['1 < "a"', null],
  ['null == null', true],
  ['3 in 1..3', true],
  ['3 in 1...3', false],
  ['$n in $list', true],
  ['!true || true && false', false],
  ['true && null', null],
  ['true || null', true],
  ['false && null', false],
  ['$text match "hell*"', true],
  ['$text match "ell*"', false],
  ['$text match ["world", "he*"]', true],
  ['$list[1..2]', [2, 3]],
  ['$list[-1]', 3],
  ['$list[@ > 1]', [2, 3]],
  ['$list[0...2]', [1, 2]],
  ['[{"a": 1}, {"a": 2}].a', [1, 2]],
  ['[{"a": 1}, {"b": 2}]{a}', [{a: 1}, {a: null}]],
  ['[{"a": [1, 2]}, {"a": [3]}].a[]', [1, 2, 3]],
  ['coalesce(null, 2)', 2],
  ['select(1 > 2 => "a", 2 > 1 => "b", "c")', 'b'],
  ['count($list)', 3],
  ['defined(null)', false],
  ['length($text)', 11],
  ['length("åb")', 2],
  ['lower($text) + upper("x")', 'hello worldX'],
  ['round(2.567, 1)', 2.6],
  ['string(1.5)', '1.5'],
  ['string::split("a,b", ",")', ['a', 'b']],
  ['string::startsWith("alpha", "al")', true],
  ['array::compact([1, null])', [1]],
  ['array::unique([1, 1, 2])', [1, 2]],
  ['array::join(["a", "b"], "-")', 'a-b'],
  ['math::sum([1, 2]) + math::max([3, 4]) + math::min([5, 6]) + math::avg([1, 3])', 14],
  ['dateTime("2020-01-02T00:00:00Z") - dateTime("2020-01-01T00:00:00Z")', 86_400],
  ['string(dateTime("2020-01-01T00:00:00Z") + 60)', '2020-01-01T00:01:00Z'],
  ['[3, 1, 2] | order(@)', [1, 2, 3]],
  ['[{"n": 1}, {"n": 2}] | order(n desc)[0].n', 2],
  ['pt::text([{"_type": "block", "children": [{"_type": "span", "text": "Hi"}]}])', 'Hi'],
  ['"a"[0]', null],
  ['{"a": {"b": 1}}.a.b', 1],
]

/** Queries over three documents of a group. */
const documentRows: [query: string, result: unknown][] = [
  ['*[group == $group] | order(n).n', [1, 2, 3]],
  ['count(*[group == $group && n > 1])', 2],
  ['*[group == $group && "x" in tags].n', [1]],
  ['*[group == $group] | order(n desc)[0...2]{n}', [{n: 3}, {n: 2}]],
  ['*[group == $group && n == 3][0].ref->n', 1],
  ['*[group == $group && n == 3][0]{"to": ref->{n}}', {to: {n: 1}}],
  ['*[group == $group && references(*[group == $group && n == 1]._id)].n', [3]],
  ['*[group == $group && n == 1][0]{"from": *[references(^._id)].n}', {from: [3]}],
  ['*[group == $group && defined(tags)].n', [1]],
  ['*[group == $group] | score(n == 2) | order(_score desc)[0].n', 2],
  ['*[group == $group && n == 9][0]', null],
  ['*[group == $group && n == 2][0].ref->', null],
  ['*[group == $group && ref->n == 1].n', [3]],
  ['*[group == $group] | order(n).ref->n', [null, null, 1]],
  ['*[group == $group] | order(ref->n, n).n', [3, 1, 2]],
  ['*[group == $group && n > 1] | order(n){n, n > 2 => {"large": true}}', [{n: 2}, {n: 3, large: true}]],
  ['fn x::of($p) = $p{n}; *[group == $group && n == 1]{"who": x::of(@)}', [{who: {n: 1}}]],
  ['*[group == $group && _id in path("*")] | order(n).n', [1, 2, 3]],
]

const groups = new WeakMap<Target, Promise<string>>()

/** The group of three documents, made at the first call. */
async function groupOf(target: Target): Promise<string> {
  const make = async () => {
    const group = target.named()._id
    const {_id} = await target.stored({group, n: 1, tags: ['x']})
    await target.stored({group, n: 2})
    await target.stored({group, n: 3, ref: {_type: 'reference', _ref: _id}})
    return group
  }
  const known = groups.get(target) ?? make()
  groups.set(target, known)
  return known
}

/** Requires that a query is refused by the parser, and returns the part of it that the error marks. */
async function markedIn({client}: Target, query: string): Promise<string> {
  try {
    await client.fetch(query)
  } catch (error) {
    assert.ok(error instanceof ClientError, String(error))
    assert.equal(error.statusCode, 400)
    const {type, description, query: repeated, start, end} = Object(error.response.body).error
    assert.deepEqual([type, repeated, typeof description], ['queryParseError', query, 'string'])
    return query.slice(start, end)
  }
  throw new Error('the query was not refused')
}

contract('queries', [
  ...rows.map(([query, expected]): [string, (target: Target) => Promise<void>] => [
    query,
    async ({client}) => assert.deepEqual(await client.fetch<unknown>(query, run), expected),
  ]),
  ...documentRows.map(([query, expected]): [string, (target: Target) => Promise<void>] => [
    query,
    async (target) => {
      const group = await groupOf(target)
      assert.deepEqual(await target.client.fetch<unknown>(query, {group}), expected)
    },
  ]),
  [
    'an unclosed string is marked',
    async (target) => assert.equal(await markedIn(target, '*[_type == "event'), '"event'),
  ],
  [
    'an unexpected word is marked',
    async (target) => assert.equal(await markedIn(target, '*[_id == 1 nope]'), 'nope'),
  ],
  ['a missing parameter is an error', async ({client}) => assertRefused(client.fetch('*[_id == $id]'), 400)],
  [
    'an unknown function is an error',
    async ({client}) => assertRefused(client.fetch('nope(1)'), 400, 'queryParseError'),
  ],
  [
    'a query knows its dataset',
    async ({client, projectId, dataset}) =>
      assert.equal(
        await client.fetch('sanity::projectId() + "/" + sanity::dataset()'),
        `${projectId}/${dataset}`,
      ),
  ],
  [
    'identity() is the id of the current user',
    async ({client}) => {
      const user: unknown = await client.request({url: '/users/me'})
      assert.equal(await client.fetch('identity()'), Object(user).id)
    },
  ],
  [
    'a query that is too long for an address is posted',
    async (target) => {
      const group = await groupOf(target)
      const query = `*[group == $group && n != "${'x'.repeat(12_000)}"] | order(n).n`
      assert.deepEqual(await target.client.fetch(query, {group}), [1, 2, 3])
    },
  ],
  [
    'the response names the query, its time and its sync tags',
    async (target) => {
      const group = await groupOf(target)
      const response = await target.client.fetch('*[group == $group].n', {group}, {filterResponse: false})
      assert.equal(response.query, '*[group == $group].n')
      assert.equal(typeof response.ms, 'number')
      assert.ok(Array.isArray(response.syncTags) && response.syncTags.length > 0)
    },
  ],
  [
    'perspective drafts shows the draft in place of the published document',
    async ({client, stored}) => {
      const {_id, _type} = await stored({a: 'published'})
      await client.create({_id: `drafts.${_id}`, _type, a: 'draft'})
      const query = '*[_id == $id]{_id, _originalId, a}'
      const show = (perspective: 'drafts' | 'published' | 'raw') =>
        client.fetch(query, {id: _id}, {perspective})
      assert.deepEqual(await show('drafts'), [{_id, _originalId: `drafts.${_id}`, a: 'draft'}])
      assert.deepEqual(await client.fetch('*[_id == $id].a', {id: _id}, {perspective: 'published'}), [
        'published',
      ])
      assert.deepEqual(
        await client.fetch('*[_id in [$id, "drafts." + $id]] | order(a).a', {id: _id}, {perspective: 'raw'}),
        ['draft', 'published'],
      )
    },
  ],
])
