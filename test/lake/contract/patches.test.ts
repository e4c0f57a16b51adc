import assert from 'node:assert/strict'
import {contentOf, contract, type Target} from './target.ts'

type Row = [
  name: string,
  before: Record<string, unknown>,
  patch: Record<string, unknown>,
  after: Record<string, unknown>,
]

const people = [
  {_key: 'a', name: 'Ada', age: 36, langs: ['en']},
  {_key: 'b', name: 'Bo', age: 20, langs: ['no', 'en']},
  {_key: 'c', name: 'Cy', age: 50, langs: []},
]
const named = (...names: (string | undefined)[]) =>
  people.map((person, at) => ({...person, name: names[at] ?? person.name}))

/** https://www.sanity.io/docs/content-lake/http-patches and /json-match */
const rows: Row[] = [
  ['set an attribute to null', {a: 1}, {set: {a: null}}, {a: null}],
  ['set in all items with [*]', {people}, {set: {'people[*].name': 'X'}}, {people: named('X', 'X', 'X')}],
  ['set in all items with [:]', {people}, {set: {'people[:].name': 'X'}}, {people: named('X', 'X', 'X')}],
  ['set in a range', {people}, {set: {'people[1:].name': 'X'}}, {people: named(undefined, 'X', 'X')}],
  ['set in several items', {people}, {set: {'people[0,2].name': 'X'}}, {people: named('X', undefined, 'X')}],
  ['set at every level', {a: {n: 1, b: {n: 2}}, n: 3}, {set: {'..n': 0}}, {a: {n: 0, b: {n: 0}}, n: 0}],
  ['set two attributes', {a: 1}, {set: {a: 2, b: 3}}, {a: 2, b: 3}],
  ['setIfMissing before set', {}, {setIfMissing: {a: {}}, set: {'a.b': 1}}, {a: {b: 1}}],
  [
    'setIfMissing of a list before insert',
    {},
    {setIfMissing: {l: []}, insert: {after: 'l[-1]', items: [1]}},
    {l: [1]},
  ],
  ['unset by a value', {l: ['x', 'y', 'x']}, {unset: ['l[@=="x"]']}, {l: ['y']}],
  ['unset everything in a list', {l: [1, 2]}, {unset: ['l[*]']}, {l: []}],
  ['inc by a fraction', {n: 1}, {inc: {n: 0.5}}, {n: 1.5}],
  ['dec', {n: 1}, {dec: {n: 3}}, {n: -2}],
  [
    'inc in items',
    {
      l: [
        {_key: 'a', n: 1},
        {_key: 'b', n: 2},
      ],
    },
    {inc: {'l[*].n': 1}},
    {
      l: [
        {_key: 'a', n: 2},
        {_key: 'b', n: 3},
      ],
    },
  ],
  ['append', {l: [1]}, {insert: {after: 'l[-1]', items: [2, 3]}}, {l: [1, 2, 3]}],
  ['prepend to an empty list', {l: []}, {insert: {before: 'l[0]', items: [1]}}, {l: [1]}],
  ['replace a range', {l: [1, 2, 3, 4]}, {insert: {replace: 'l[1:3]', items: [9]}}, {l: [1, 9, 4]}],
  [
    'diffMatchPatch in an item',
    {people},
    {diffMatchPatch: {'people[_key=="a"].name': '@@ -1,3 +1,4 @@\n Ada\n+!\n'}},
    {people: named('Ada!')},
  ],
  ['set before unset', {a: 1}, {set: {a: 2, b: 1}, unset: ['a']}, {b: 1}],
  ['quoted attribute names', {'a-b': 1}, {set: {"['a-b']": 2}}, {'a-b': 2}],
  ['an attribute with a star in quotes', {'[*]': 1, l: [1]}, {set: {"['[*]']": 2}}, {'[*]': 2, l: [1]}],
]

contract('patches', [
  ...rows.map(([name, before, patch, after]): [string, (target: Target) => Promise<void>] => [
    name,
    async ({client, stored}) => {
      const {_id} = await stored(before)
      const result = await client.patch(_id, patch).commit()
      assert.deepEqual(contentOf(result), after)
      assert.deepEqual(contentOf(await client.getDocument(_id)), after)
    },
  ]),
  [
    'a patch changes _rev and _updatedAt, and keeps _createdAt',
    async ({client, stored}) => {
      const before = await stored({a: 1})
      const after = await client.patch(before._id).set({a: 2}).commit()
      assert.notEqual(after._rev, before._rev)
      assert.equal(after._createdAt, before._createdAt)
      assert.ok(Date.parse(after._updatedAt) >= Date.parse(before._updatedAt))
    },
  ],
  [
    'autoGenerateArrayKeys adds keys to objects in lists, and keeps those that exist',
    async ({client, stored}) => {
      const {_id} = await stored()
      const options = {autoGenerateArrayKeys: true}
      await client
        .patch(_id)
        .set({l: [{n: 1}, {_key: 'mine', n: 2}, 'text'], o: {inner: [{deep: [{n: 3}]}]}})
        .commit(options)
      await client
        .patch(_id)
        .insert('after', 'l[-1]', [{n: 4}])
        .commit(options)
      const {l, o} = Object((await client.getDocument(_id)) ?? {})
      for (const item of [l[0], l[3], o.inner[0], o.inner[0].deep[0]])
        assert.match(String(item._key), /^.{4,}$/)
      assert.deepEqual([l[1]._key, l[2]], ['mine', 'text'])
      assert.notEqual(l[0]._key, l[3]._key)
    },
  ],
  [
    'a patch by query changes every document that it finds',
    async ({client, stored}) => {
      const group = (await stored({group: 'g'}))._id
      const ids = await Promise.all([1, 2].map(async () => (await stored({group}))._id))
      await client
        .patch({query: '*[group == $group]', params: {group}})
        .set({done: true})
        .commit({returnFirst: false})
      const found = await client.getDocuments(ids)
      assert.deepEqual(
        found.map((document) => document?.done),
        [true, true],
      )
    },
  ],
])
