import assert from 'node:assert/strict'
import {ClientError} from '@sanity/client'
import {assertRefused, contract, type Target} from './target.ts'

const run = {n: 3, list: [1, 2, 3], text: 'Hello World'}

/** Queries with parameters. GROQ's official suite has the rest of the language. */
const rows: [query: string, result: unknown][] = [
  ['$n in $list', true],
  ['$text match "hell*"', true],
  ['$list[1..2]', [2, 3]],
  ['"a"[0]', null],
]

/** Queries over three documents of a group. */
const documentRows: [query: string, result: unknown][] = [
  ['*[group == $group && "x" in tags].n', [1]],
  ['*[group == $group] | order(n desc)[0...2]{n}', [{n: 3}, {n: 2}]],
  ['*[group == $group && n == 3][0]{"to": ref->{n}}', {to: {n: 1}}],
  ['*[group == $group && n == 1][0]{"from": *[references(^._id)].n}', {from: [3]}],
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
