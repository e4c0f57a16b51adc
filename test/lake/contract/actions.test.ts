import assert from 'node:assert/strict'
import {assertRefused, contentOf, contract, TYPE} from './target.ts'

contract('actions', [
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
    'document.version.create creates a draft from attributes, as the App SDK sends them',
    async ({client, dataset, named}) => {
      const {_id: publishedId} = named()
      const attributes = {_id: `drafts.${publishedId}`, _type: TYPE, a: 1}
      const actions = [{actionType: 'sanity.action.document.version.create', publishedId, attributes}]
      await client.request({method: 'POST', url: `/data/actions/${dataset}`, body: {actions}})
      assert.deepEqual(contentOf(await client.getDocument(attributes._id)), {a: 1})
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
    'document.discard removes the draft',
    async ({client, draft}) => {
      const {draftId} = await draft()
      await client.action({actionType: 'sanity.action.document.discard', draftId})
      assert.equal(await client.getDocument(draftId), undefined)
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
    'the transaction id of an action is kept',
    async ({client, draft}) => {
      const pair = await draft()
      const transactionId = `t-${pair.publishedId}`
      const done = await client.action(
        {actionType: 'sanity.action.document.publish', ...pair},
        {transactionId},
      )
      assert.equal(done.transactionId, transactionId)
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
