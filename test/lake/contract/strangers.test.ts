import assert from 'node:assert/strict'
import {assertRefused, contentOf, contract, TYPE} from './target.ts'

contract('clients without a token, of a public dataset', [
  [
    'fetch published documents',
    async ({stranger, stored}) => {
      const {_id: id} = await stored({a: 1})
      assert.equal(await stranger.fetch('*[_id == $id][0].a', {id}), 1)
    },
  ],
  ...['1', '2021-10-21', '2025-02-19', 'X'].map((apiVersion): Parameters<typeof contract>[1][number] => [
    `see no draft with API version ${apiVersion}`,
    async ({stranger, stored, client}) => {
      const {_id: id, _type} = await stored({a: 1})
      await client.create({_id: `drafts.${id}`, _type, a: 2})
      const query = '*[_id in [$id, "drafts." + $id]]{a}'
      assert.deepEqual(await stranger.withConfig({apiVersion}).fetch(query, {id}), [{a: 1}])
    },
  ]),
  [
    'get published documents',
    async ({stranger, stored}) => {
      const {_id} = await stored({a: 1})
      assert.deepEqual(contentOf(await stranger.getDocument(_id)), {a: 1})
    },
  ],
  [
    'get no draft',
    async ({stranger, draft}) => {
      const {draftId, publishedId} = await draft()
      assert.deepEqual(await stranger.getDocuments([draftId, publishedId]), [null, null])
    },
  ],
  [
    'get no document with a dot in its id',
    async ({stranger, client, named}) => {
      const _id = `private.${named()._id}`
      await client.create({_id, _type: TYPE})
      assert.equal(await stranger.getDocument(_id), undefined)
      assert.deepEqual(await stranger.fetch('*[_id == $id]', {id: _id}), [])
    },
  ],
  ['cannot create', async ({stranger, named}) => assertRefused(stranger.create(named()), 401)],
  [
    'cannot patch',
    async ({stranger, stored}) =>
      assertRefused(
        stranger
          .patch((await stored())._id)
          .set({a: 1})
          .commit(),
        401,
      ),
  ],
  ['cannot delete', async ({stranger, stored}) => assertRefused(stranger.delete((await stored())._id), 401)],
  [
    'cannot publish',
    async ({stranger, draft}) => {
      const pair = await draft()
      await assertRefused(stranger.action({actionType: 'sanity.action.document.publish', ...pair}), 401)
    },
  ],
  [
    'get an error for a wrong token',
    async ({clientWith}) => assertRefused(clientWith({token: 'wrong'}).fetch('*[0]'), 401),
  ],
])
