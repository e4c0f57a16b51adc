import assert from 'node:assert/strict'
import {assertRefused, contentOf, contract, TYPE} from './target.ts'

contract('actions on drafts', [
  [
    'document.create creates a draft',
    async ({client, named}) => {
      const {_id: publishedId} = named()
      await client.action({
        actionType: 'sanity.action.document.create',
        publishedId,
        attributes: {_id: `drafts.${publishedId}`, _type: TYPE, a: 1},
        ifExists: 'fail',
      })
      assert.deepEqual(contentOf(await client.getDocument(`drafts.${publishedId}`)), {a: 1})
      assert.equal(await client.getDocument(publishedId), undefined)
    },
  ],
  [
    'document.create of an existing draft fails, or is ignored',
    async ({client, draft}) => {
      const {draftId, publishedId} = await draft({a: 1})
      const create = (ifExists: 'fail' | 'ignore') =>
        client.action({
          actionType: 'sanity.action.document.create',
          publishedId,
          attributes: {_id: draftId, _type: TYPE, a: 2},
          ifExists,
        })
      await assertRefused(create('fail'), 409)
      await create('ignore')
      assert.deepEqual(contentOf(await client.getDocument(draftId)), {a: 1})
    },
  ],
  [
    'document.version.create creates a draft from a document',
    async ({client, named}) => {
      const {_id: publishedId} = named()
      const _id = `drafts.${publishedId}`
      await client.createVersion({publishedId, document: {_id, _type: TYPE, a: 1}})
      assert.deepEqual(contentOf(await client.getDocument(_id)), {a: 1})
    },
  ],
  [
    'document.version.create of an existing draft fails',
    async ({client, draft}) => {
      const {draftId: _id, publishedId} = await draft()
      await assertRefused(client.createVersion({publishedId, document: {_id, _type: TYPE}}), 409)
    },
  ],
  [
    'document.version.create copies a base',
    async ({client, stored}) => {
      const {_id: publishedId} = await stored({a: 1})
      const versionId = `drafts.${publishedId}`
      await client.action({
        actionType: 'sanity.action.document.version.create',
        publishedId,
        baseId: publishedId,
        versionId,
      })
      assert.deepEqual(contentOf(await client.getDocument(versionId)), {a: 1})
    },
  ],
  [
    'document.version.create requires the revision of the base',
    async ({client, stored}) => {
      const {_id: publishedId} = await stored({a: 1})
      await assertRefused(
        client.action({
          actionType: 'sanity.action.document.version.create',
          publishedId,
          baseId: publishedId,
          versionId: `drafts.${publishedId}`,
          ifBaseRevisionId: 'other',
        }),
        409,
      )
    },
  ],
  [
    'document.version.replace replaces a draft',
    async ({client, draft}) => {
      const {draftId: _id} = await draft({a: 1})
      await client.replaceVersion({document: {_id, _type: TYPE, b: 2}})
      assert.deepEqual(contentOf(await client.getDocument(_id)), {b: 2})
    },
  ],
  [
    'document.version.discard removes a draft',
    async ({client, draft}) => {
      const {draftId} = await draft()
      await client.action({actionType: 'sanity.action.document.version.discard', versionId: draftId})
      assert.equal(await client.getDocument(draftId), undefined)
    },
  ],
  [
    'document.edit changes a draft',
    async ({client, draft}) => {
      const pair = await draft({a: 1})
      await client.action({actionType: 'sanity.action.document.edit', ...pair, patch: {set: {b: 2}}})
      assert.deepEqual(contentOf(await client.getDocument(pair.draftId)), {a: 1, b: 2})
    },
  ],
  [
    'document.edit of a published document creates its draft',
    async ({client, stored}) => {
      const {_id: publishedId} = await stored({a: 1})
      const draftId = `drafts.${publishedId}`
      await client.action({
        actionType: 'sanity.action.document.edit',
        draftId,
        publishedId,
        patch: {set: {b: 2}},
      })
      assert.deepEqual(contentOf(await client.getDocument(draftId)), {a: 1, b: 2})
      assert.deepEqual(contentOf(await client.getDocument(publishedId)), {a: 1})
    },
  ],
  [
    'document.edit of a missing document fails',
    async ({client, named}) => {
      const {_id: publishedId} = named()
      const pair = {draftId: `drafts.${publishedId}`, publishedId}
      const edit = {actionType: 'sanity.action.document.edit' as const, ...pair, patch: {set: {a: 1}}}
      await assert.rejects(client.action(edit))
    },
  ],
  [
    'document.discard removes the draft',
    async ({client, draft}) => {
      const {draftId} = await draft()
      await client.action({actionType: 'sanity.action.document.discard', draftId})
      assert.equal(await client.getDocument(draftId), undefined)
    },
  ],
  [
    'document.replaceDraft replaces a draft',
    async ({client, draft}) => {
      const {draftId: _id, publishedId} = await draft({a: 1})
      await client.action({
        actionType: 'sanity.action.document.replaceDraft',
        publishedId,
        attributes: {_id, _type: TYPE, b: 2},
      })
      assert.deepEqual(contentOf(await client.getDocument(_id)), {b: 2})
    },
  ],
])
