import assert from 'node:assert/strict'
import type {TestContext} from 'node:test'
import type {ListenEvent, LiveEvent, SanityClient} from '@sanity/client'
import {collect} from '../support/collect.ts'
import {contract} from './target.ts'

const isMutation = ({type}: ListenEvent) => type === 'mutation'

/** Listens to one document and its draft. */
async function listenTo(t: TestContext, client: SanityClient, id: string, options = {}) {
  const all = {
    events: ['welcome' as const, 'mutation' as const],
    includeResult: true,
    visibility: 'query' as const,
  }
  const query = '*[_id in [$id, "drafts." + $id]]'
  const events = collect<ListenEvent>(t, client.listen(query, {id}, {...all, ...options}))
  await events.until(({type}) => type === 'welcome')
  return async () => {
    const event = await events.until(isMutation)
    assert.ok(event.type === 'mutation')
    return event
  }
}

contract('events', [
  [
    'listen reports creation, change and deletion',
    async ({client, named}, t) => {
      const {_id, _type} = named()
      const next = await listenTo(t, client, _id)
      await client.create({_id, _type, a: 1})
      await client.patch(_id).set({a: 2}).commit()
      await client.delete(_id)
      const [created, changed, deleted] = [await next(), await next(), await next()]
      assert.deepEqual(
        [created.transition, changed.transition, deleted.transition],
        ['appear', 'update', 'disappear'],
      )
      assert.deepEqual([created.result?.a, changed.result?.a, deleted.result], [1, 2, undefined])
      assert.equal(changed.previousRev, created.resultRev)
    },
  ],
  [
    'listen reports the transaction id, and one event for each document',
    async ({client, named}, t) => {
      const {_id, _type} = named()
      const next = await listenTo(t, client, _id)
      const transactionId = `t-${_id}`
      await client
        .transaction()
        .create({_id, _type})
        .create({_id: `drafts.${_id}`, _type})
        .commit({transactionId})
      const both = [await next(), await next()]
      assert.deepEqual(both.map((event) => event.documentId).sort(), [_id, `drafts.${_id}`])
      assert.deepEqual(
        both.map((event) => event.transactionId),
        [transactionId, transactionId],
      )
      assert.deepEqual(
        both.map((event) => event.transactionTotalEvents),
        [2, 2],
      )
    },
  ],
  [
    'listen includes the state before on request',
    async ({client, stored}, t) => {
      const {_id} = await stored({a: 1})
      const next = await listenTo(t, client, _id, {includePreviousRevision: true})
      await client.patch(_id).set({a: 2}).commit()
      const {previous} = await next()
      assert.equal(previous?.a, 1)
    },
  ],
  [
    'listen reports a publication as a removed draft and a published document',
    async ({client, draft}, t) => {
      const pair = await draft({a: 1})
      const next = await listenTo(t, client, pair.publishedId)
      await client.action({actionType: 'sanity.action.document.publish', ...pair})
      const seen = [await next(), await next()].map(
        ({documentId, transition}) => `${transition} ${documentId}`,
      )
      assert.deepEqual(seen.sort(), [`appear ${pair.publishedId}`, `disappear ${pair.draftId}`])
    },
  ],
  [
    'live events name the sync tags of the results that changed',
    async ({client, stored}, t) => {
      // For live events of published documents, the client sends its token only as a header.
      const headers = {Authorization: `Bearer ${client.config().token}`}
      const reader = client.withConfig({headers, perspective: 'published'})
      const {_id: id} = await stored({a: 1})
      const {syncTags = []} = await reader.fetch('*[_id == $id]', {id}, {filterResponse: false})
      const live = collect<LiveEvent>(t, reader.live.events())
      await live.until(({type}) => type === 'welcome')
      await client.patch(id).set({a: 2}).commit()
      await live.until(
        (event) => event.type === 'message' && event.tags.some((tag) => syncTags.includes(tag)),
      )
      const [last] = live.all.filter(({type}) => type === 'message').slice(-1)
      assert.ok(last?.type === 'message')
      assert.equal(await reader.fetch('*[_id == $id][0].a', {id}, {lastLiveEventId: last.id}), 2)
    },
  ],
])
