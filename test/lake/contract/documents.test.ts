import assert from 'node:assert/strict'
import {assertRefused, contentOf, contract, TYPE} from './target.ts'

contract('documents', [
  [
    'create returns the document with the attributes of the Content Lake',
    async ({client, named}) => {
      const given = {...named(), title: 'A'}
      const created = await client.create(given)
      assert.deepEqual({...given, ...created}, created)
      assert.ok(created._rev && Date.parse(created._createdAt) && Date.parse(created._updatedAt))
    },
  ],
  [
    'create without an id makes one',
    async ({client}) => assert.ok((await client.create({_type: TYPE}))._id.length > 10),
  ],
  [
    'an id that ends with a dot is a prefix',
    async ({client}) =>
      assert.match((await client.create({_id: 'drafts.', _type: TYPE}))._id, /^drafts\..{10,}/),
  ],
  [
    'create of an existing document is refused',
    async ({client, stored}) => {
      const {_id} = await stored()
      await assertRefused(client.create({_id, _type: TYPE}), 409, 'documentAlreadyExistsError')
    },
  ],
  [
    'a document without a type is refused',
    async ({client, named}) => {
      const {_id} = named()
      const body = {mutations: [{create: {_id}}]}
      const url = `/data/mutate/${client.config().dataset}`
      await assertRefused(client.request({method: 'POST', url, body}), 400)
    },
  ],
  [
    'createOrReplace replaces all attributes',
    async ({client, stored}) => {
      const {_id} = await stored({a: 1})
      assert.deepEqual(contentOf(await client.createOrReplace({_id, _type: TYPE, b: 2})), {b: 2})
      assert.deepEqual(contentOf(await client.getDocument(_id)), {b: 2})
    },
  ],
  [
    'createOrReplace keeps _createdAt',
    async ({client, stored}) => {
      const {_id, _createdAt} = await stored({a: 1})
      assert.equal((await client.createOrReplace({_id, _type: TYPE, b: 2}))._createdAt, _createdAt)
    },
  ],
  [
    'creation of a document keeps dates that are given',
    async ({client, named}) => {
      const dates = {_createdAt: '2019-05-01T10:00:00Z', _updatedAt: '2022-01-01T10:00:00Z'}
      const [a, b, c] = [named(), named(), named()]
      await client.create({...a, ...dates})
      await client.createOrReplace({...b, ...dates})
      await client.createIfNotExists({...c, ...dates})
      for (const document of await client.getDocuments([a._id, b._id, c._id]))
        assert.deepEqual([document?._createdAt, document?._updatedAt], Object.values(dates))
    },
  ],
  [
    'a change keeps a given _createdAt, and sets _updatedAt',
    async ({client, stored}) => {
      const given = {_createdAt: '2019-05-01T10:00:00Z', _updatedAt: '2022-01-01T10:00:00Z'}
      const {_id, _type} = await stored(given)
      await client.patch(_id).set({a: 1}).commit()
      const patched = await client.getDocument(_id)
      assert.equal(patched?._createdAt, given._createdAt)
      assert.ok(String(patched?._updatedAt) > given._updatedAt)
      await client.createOrReplace({_id, _type, ...given, _createdAt: '2018-01-01T00:00:00Z', b: 2})
      const replaced = await client.getDocument(_id)
      assert.equal(replaced?._createdAt, given._createdAt)
      assert.ok(String(replaced?._updatedAt) > given._updatedAt)
    },
  ],
  [
    'createIfNotExists keeps an existing document',
    async ({client, stored}) => {
      const {_id} = await stored({a: 1})
      await client.createIfNotExists({_id, _type: TYPE, a: 2})
      assert.deepEqual(contentOf(await client.getDocument(_id)), {a: 1})
    },
  ],
  [
    'delete by id',
    async ({client, stored}) => {
      const {_id} = await stored()
      await client.delete(_id)
      assert.equal(await client.getDocument(_id), undefined)
    },
  ],
  [
    'delete of a missing document is not an error',
    async ({client, named}) => {
      const {_id} = named()
      const {results} = await client.transaction().delete(_id).commit()
      assert.ok(results.length <= 1)
    },
  ],
  [
    'delete by query',
    async ({client, stored}) => {
      const {_id} = await stored({mark: 'gone'})
      await client.delete({query: '*[_id == $id && mark == "gone"]', params: {id: _id}})
      assert.equal(await client.getDocument(_id), undefined)
    },
  ],
  ...(['sync', 'async', 'deferred'] as const).map((visibility): Parameters<typeof contract>[1][number] => [
    `visibility ${visibility}`,
    async ({client, named}) => {
      const given = named()
      assert.equal((await client.create(given, {visibility}))._id, given._id)
    },
  ]),
  [
    'getDocuments keeps the order, with null for missing documents',
    async ({client, stored, named}) => {
      const [a, b] = [await stored(), await stored()]
      const found = await client.getDocuments([b._id, named()._id, a._id])
      assert.deepEqual(
        found.map((document) => document?._id ?? null),
        [b._id, null, a._id],
      )
    },
  ],
  [
    'getDocument with includeAllVersions returns the draft and the published document',
    async ({client, stored}) => {
      const {_id, _type} = await stored()
      await client.create({_id: `drafts.${_id}`, _type})
      const found = await client.getDocument(_id, {includeAllVersions: true})
      assert.deepEqual(found.map((document) => document._id).sort(), [_id, `drafts.${_id}`])
    },
  ],
  [
    'all JSON values are kept',
    async ({client, stored}) => {
      const content = {
        s: 'Ä "q" \u2028 😀',
        n: -1.5,
        z: 0,
        t: true,
        f: false,
        u: null,
        l: [[], {}],
        o: {o: {}},
      }
      const {_id} = await stored(content)
      assert.deepEqual(contentOf(await client.getDocument(_id)), content)
    },
  ],
  [
    'a document of four megabytes',
    async ({client, stored}) => {
      const text = 'x'.repeat(3_900_000)
      const {_id} = await stored({text})
      assert.equal((await client.getDocument(_id))?.text, text)
    },
  ],
  [
    'addresses with a resource',
    async ({clientWith, projectId, dataset, named}) => {
      const other = clientWith({resource: {type: 'dataset', id: `${projectId}.${dataset}`}})
      const given = named()
      await other.create(given)
      assert.equal((await other.getDocument(given._id))?._id, given._id)
      assert.equal(await other.fetch('*[_id == $id][0]._id', {id: given._id}), given._id)
    },
  ],
])
