import assert from 'node:assert/strict'
import {assertRefused, contentOf, contract, TYPE} from './target.ts'

contract('actions on published documents', [
  [
    'document.publish makes the draft the published document',
    async ({client, draft}) => {
      const pair = await draft({a: 1})
      await client.action({actionType: 'sanity.action.document.publish', ...pair})
      assert.deepEqual(contentOf(await client.getDocument(pair.publishedId)), {a: 1})
      assert.equal(await client.getDocument(pair.draftId), undefined)
    },
  ],
  [
    'document.publish replaces the published document',
    async ({client, stored}) => {
      const {_id: publishedId, _type} = await stored({a: 1})
      const draftId = `drafts.${publishedId}`
      await client.create({_id: draftId, _type, b: 2})
      await client.action({actionType: 'sanity.action.document.publish', draftId, publishedId})
      assert.deepEqual(contentOf(await client.getDocument(publishedId)), {b: 2})
    },
  ],
  [
    'document.publish of a missing draft fails',
    async ({client, stored}) => {
      const {_id: publishedId} = await stored()
      const draftId = `drafts.${publishedId}`
      await assert.rejects(
        client.action({actionType: 'sanity.action.document.publish', draftId, publishedId}),
        {statusCode: 409, message: /was not found/},
      )
    },
  ],
  [
    'document.publish checks the revision of the draft',
    async ({client, draft}) => {
      const pair = await draft()
      const publish = {actionType: 'sanity.action.document.publish' as const, ...pair}
      await assertRefused(client.action({...publish, ifDraftRevisionId: 'other'}), 409)
      const {_rev} = (await client.getDocument(pair.draftId)) ?? {_rev: ''}
      await client.action({...publish, ifDraftRevisionId: _rev})
      assert.equal(await client.getDocument(pair.draftId), undefined)
    },
  ],
  [
    'document.publish checks the revision of the published document',
    async ({client, stored}) => {
      const {_id: publishedId, _type} = await stored({a: 1})
      const draftId = `drafts.${publishedId}`
      await client.create({_id: draftId, _type})
      const publish = {actionType: 'sanity.action.document.publish' as const, draftId, publishedId}
      await assertRefused(client.action({...publish, ifPublishedRevisionId: 'other'}), 409)
    },
  ],
  [
    'document.publish makes marked references strong',
    async ({client, stored, draft}) => {
      const {_id} = await stored()
      const reference = {_type: 'reference', _ref: _id}
      const pair = await draft({ref: {...reference, _weak: true, _strengthenOnPublish: {type: TYPE}}})
      await client.action({actionType: 'sanity.action.document.publish', ...pair})
      assert.deepEqual((await client.getDocument(pair.publishedId))?.ref, reference)
    },
  ],
  [
    'document.unpublish makes the published document a draft',
    async ({client, stored}) => {
      const {_id: publishedId} = await stored({a: 1})
      const draftId = `drafts.${publishedId}`
      await client.action({actionType: 'sanity.action.document.unpublish', draftId, publishedId})
      assert.equal(await client.getDocument(publishedId), undefined)
      assert.deepEqual(contentOf(await client.getDocument(draftId)), {a: 1})
    },
  ],
  [
    'document.unpublish keeps an existing draft',
    async ({client, stored}) => {
      const {_id: publishedId, _type} = await stored({a: 1})
      const draftId = `drafts.${publishedId}`
      await client.create({_id: draftId, _type, b: 2})
      await client.action({actionType: 'sanity.action.document.unpublish', draftId, publishedId})
      assert.deepEqual(contentOf(await client.getDocument(draftId)), {b: 2})
    },
  ],
  [
    'document.unpublish of a referenced document fails',
    async ({client, stored}) => {
      const {_id: publishedId} = await stored()
      await stored({ref: {_type: 'reference', _ref: publishedId}})
      const draftId = `drafts.${publishedId}`
      await assertRefused(
        client.action({actionType: 'sanity.action.document.unpublish', draftId, publishedId}),
        409,
      )
    },
  ],
  [
    'document.delete removes both',
    async ({client, stored}) => {
      const {_id: publishedId, _type} = await stored()
      const draftId = `drafts.${publishedId}`
      await client.create({_id: draftId, _type})
      await client.action({
        actionType: 'sanity.action.document.delete',
        publishedId,
        includeDrafts: [draftId],
      })
      assert.deepEqual(await client.getDocuments([publishedId, draftId]), [null, null])
    },
  ],
  [
    'several actions are atomic',
    async ({client, draft, named}) => {
      const pair = await draft({a: 1})
      const other = named()._id
      await assert.rejects(
        client.action([
          {actionType: 'sanity.action.document.edit', ...pair, patch: {set: {a: 2}}},
          {actionType: 'sanity.action.document.publish', draftId: `drafts.${other}`, publishedId: other},
        ]),
      )
      assert.deepEqual(contentOf(await client.getDocument(pair.draftId)), {a: 1})
    },
  ],
  [
    'a dry run of an action stores nothing',
    async ({client, draft}) => {
      const pair = await draft({a: 1})
      await client.action({actionType: 'sanity.action.document.publish', ...pair}, {dryRun: true})
      assert.equal(await client.getDocument(pair.publishedId), undefined)
    },
  ],
  [
    'an unknown action is refused',
    async ({client}) => {
      const url = `/data/actions/${client.config().dataset}`
      const body = {actions: [{actionType: 'sanity.action.document.frobnicate'}]}
      await assertRefused(client.request({method: 'POST', url, body}), 400)
    },
  ],
])
