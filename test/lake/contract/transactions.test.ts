import assert from 'node:assert/strict'
import {assertRefused, contract} from './target.ts'

contract('transactions', [
  [
    'a strong reference prevents deletion',
    async ({client, stored}) => {
      const {_id} = await stored()
      await stored({ref: {_type: 'reference', _ref: _id}})
      await assertRefused(client.delete(_id), 409, 'documentHasExistingReferencesError')
    },
  ],
  [
    'a weak reference does not',
    async ({client, stored}) => {
      const {_id} = await stored()
      await stored({ref: {_type: 'reference', _ref: _id, _weak: true}})
      await client.delete(_id)
      assert.equal(await client.getDocument(_id), undefined)
    },
  ],
  [
    'a strong reference to a missing document is refused',
    async ({client, named}) => {
      const ref = {_type: 'reference', _ref: named()._id}
      await assertRefused(client.create({...named(), ref}), 409, 'documentReferenceDoesNotExistError')
    },
  ],
  [
    'two documents of one transaction may reference each other',
    async ({client, named}) => {
      const [a, b] = [named(), named()]
      const to = ({_id}: {_id: string}) => ({_type: 'reference', _ref: _id})
      await client
        .transaction()
        .create({...a, ref: to(b)})
        .create({...b, ref: to(a)})
        .commit()
      await client.transaction().delete(a._id).delete(b._id).commit()
      assert.deepEqual(await client.getDocuments([a._id, b._id]), [null, null])
    },
  ],
  [
    'a transaction is atomic',
    async ({client, named}) => {
      const {_id, _type} = named()
      const failing = client
        .transaction()
        .create({_id, _type})
        .patch(named()._id, {set: {a: 1}})
        .commit()
      await assertRefused(failing, 409, 'documentNotFoundError')
      assert.equal(await client.getDocument(_id), undefined)
    },
  ],
  [
    'mutations of a transaction see each other',
    async ({client, named}) => {
      const {_id, _type} = named()
      const {results} = await client
        .transaction()
        .create({_id, _type, n: 1})
        .patch(_id, {inc: {n: 1}})
        .patch(_id, {inc: {n: 1}})
        .commit()
      assert.equal((await client.getDocument(_id))?.n, 3)
      assert.deepEqual(
        results.map(({operation}) => operation),
        ['create', 'update', 'update'],
      )
    },
  ],
  [
    'ifRevisionId accepts the current revision and refuses another',
    async ({client, stored}) => {
      const {_id, _rev} = await stored()
      await client.patch(_id).ifRevisionId(_rev).set({a: 1}).commit()
      await assertRefused(
        client.patch(_id).ifRevisionId(_rev).set({a: 2}).commit(),
        409,
        'documentRevisionIDDoesNotMatchError',
      )
    },
  ],
  [
    'a patch of a missing document is refused',
    async ({client, named}) =>
      assertRefused(client.patch(named()._id).set({a: 1}).commit(), 409, 'documentNotFoundError'),
  ],
  [
    'an invalid path is refused',
    async ({client, stored}) => {
      const {_id} = await stored()
      await assertRefused(client.patch(_id).set({'a[': 1}).commit(), 400)
    },
  ],
  [
    'a dry run stores nothing',
    async ({client, named}) => {
      const given = named()
      assert.equal((await client.create(given, {dryRun: true}))._id, given._id)
      assert.equal(await client.getDocument(given._id), undefined)
    },
  ],
  [
    'returnDocuments: false returns ids',
    async ({client, named}) => {
      const given = named()
      const {documentIds, transactionId} = await client.create(given, {
        returnDocuments: false,
        returnFirst: false,
      })
      assert.deepEqual(documentIds, [given._id])
      assert.ok(transactionId)
    },
  ],
])
