import assert from 'node:assert/strict'
import type {TestContext} from 'node:test'
import {
  assign,
  at,
  create,
  createIfNotExists,
  createOrReplace,
  del,
  inc,
  insertAfter,
  insertBefore,
  type Mutation,
  type NodePatchList,
  patch,
  SanityEncoder,
  truncate,
  unassign,
  upsert,
} from '@sanity/mutate'
import {createOptimisticStore, createOptimisticStoreClientBackend} from '@sanity/mutate/_unstable_store'
import {collect} from '../support/collect.ts'
import {contentOf, contract, type Target} from './target.ts'

/** Content to patch, the patches, and the content after them. */
const rows: [name: string, before: object, patches: NodePatchList, after: object][] = [
  ['assign', {a: {b: 1}}, [at('a', assign({b: 2, c: 3}))], {a: {b: 2, c: 3}}],
  ['unassign', {a: {b: 1, c: 2}}, [at('a', unassign(['b']))], {a: {c: 2}}],
  [
    'insert by key',
    {l: [{_key: 'b'}]},
    [at('l', insertBefore([{_key: 'a'}], {_key: 'b'})), at('l', insertAfter([{_key: 'c'}], {_key: 'b'}))],
    {l: [{_key: 'a'}, {_key: 'b'}, {_key: 'c'}]},
  ],
  ['truncate', {l: [1, 2, 3, 4]}, [at('l', truncate(1, 3))], {l: [1, 4]}],
  [
    'upsert',
    {l: [{_key: 'a', n: 1}, {_key: 'b'}]},
    [at('l', upsert([{_key: 'a', n: 2}], 'after', {_key: 'b'}))],
    {l: [{_key: 'b'}, {_key: 'a', n: 2}]},
  ],
]

function send({client}: Target, mutations: Mutation[], id?: string) {
  return client.dataRequest('mutate', SanityEncoder.encodeTransaction({...(id && {id}), mutations}))
}

/** A store that applies mutations before it sends them, and follows one document. */
function storeOf({client}: Target, id: string, t: TestContext) {
  const store = createOptimisticStore(createOptimisticStoreClientBackend(client))
  // A document that does not exist is shown as an empty one.
  const states = collect<Record<string, unknown>>(t, {
    subscribe: ({next, error}) =>
      store.listen(id).subscribe({next: (document) => next(Object(document)), error}),
  })
  return {...store, until: states.until}
}

contract('@sanity/mutate', [
  ...rows.map(([name, before, patches, after]): [string, (target: Target) => Promise<void>] => [
    name,
    async (target) => {
      const {_id} = await target.stored({...before})
      await send(target, [patch(_id, patches)])
      assert.deepEqual(contentOf(await target.client.getDocument(_id)), after)
    },
  ]),
  [
    'creates, replaces and deletes in one transaction with its own id',
    async (target) => {
      const {client, named, stored} = target
      const [one, two, three, gone] = [named(), await stored({a: 1}), await stored({a: 1}), await stored()]
      const mutations = [
        create({...one, a: 1}),
        createIfNotExists({_id: two._id, _type: two._type, a: 2}),
        createOrReplace({_id: three._id, _type: three._type, a: 2}),
        del(gone._id),
      ]
      const id = `t-${one._id}`
      assert.equal(Object(await send(target, mutations, id)).transactionId, id)
      const found = await client.getDocuments([one._id, two._id, three._id, gone._id])
      assert.deepEqual(
        found.map((document) => document?.a ?? null),
        [1, 1, 2, null],
      )
    },
  ],
  [
    'the optimistic store sends its mutations, and takes those of other clients',
    async (target, t) => {
      const {client} = target
      const {_id, _type} = target.named()
      const store = storeOf(target, _id, t)
      const shows = (n: number | undefined) => store.until((document) => document.n === n)
      await shows(undefined)
      store.mutate([create({_id, _type, n: 1})])
      await shows(1)
      assert.equal(await client.getDocument(_id), undefined)
      store.submit()
      await store.until(({_rev}) => _rev !== undefined)
      await client.patch(_id).inc({n: 10}).commit()
      await shows(11)
      store.mutate([patch(_id, [at('n', inc(100))])])
      await shows(111)
      await client.patch(_id).inc({n: 1000}).commit()
      await shows(1111)
      const {_rev} = Object(await client.getDocument(_id))
      store.submit()
      await store.until((document) => document._rev !== _rev && document.n === 1111)
      assert.equal((await client.getDocument(_id))?.n, 1111)
      await client.delete(_id)
      await shows(undefined)
    },
  ],
])
