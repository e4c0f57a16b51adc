import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {ListenEvent, LiveEvent, SanityClient} from '@sanity/client'
import {collect} from '../support/collect.ts'
import {type RunningLake, runLake} from '../support/lake.ts'

const post = {_id: 'a', _type: 'post', title: 'A', tags: ['x', 'y'], body: {text: 'long', _type: 'body'}}
const files = {'post/a.json': post}
const pair = {draftId: 'drafts.a', publishedId: 'a'}

const headOf = async ({repository}: RunningLake) => (await repository.git('rev-parse', 'HEAD')).trim()

/** Writes that leave the published document and the draft of `post` as they are. */
const writes: [name: string, write: (client: SanityClient) => Promise<unknown>][] = [
  ['a patch that sets the same value', (client) => client.patch('a').set({title: 'A'}).commit()],
  ['a patch that unsets nothing', (client) => client.patch('a').unset(['none']).commit()],
  ['a replacement by the same document', (client) => client.createOrReplace(post)],
  [
    'a replacement with keys in another order',
    (client) => client.createOrReplace({...post, body: {_type: 'body', text: 'long'}}),
  ],
  ['creating what exists', (client) => client.createIfNotExists({...post, title: 'other'})],
  [
    'a change and its opposite in one transaction',
    (client) =>
      client
        .transaction()
        .patch('a', {set: {title: 'B'}})
        .patch('a', {set: {title: 'A'}})
        .commit(),
  ],
  [
    'deleting and creating the same document in one transaction',
    (client) => client.transaction().delete('a').create(post).commit(),
  ],
  ['replacing a draft by the same document', (client) => client.createOrReplace({...post, _id: 'drafts.a'})],
  [
    'replacing a draft by an action',
    (client) =>
      client.action({
        actionType: 'sanity.action.document.replaceDraft',
        publishedId: 'a',
        attributes: {...post, _id: 'drafts.a'},
      }),
  ],
]

test('a write that changes nothing makes no commit, no event and no new date', async (t) => {
  const lake = await runLake(t, files)
  const {client} = lake
  await client.create({...post, _id: 'drafts.a'})
  const before = await client.getDocuments(['a', 'drafts.a'])
  const head = await headOf(lake)
  const listened = collect<ListenEvent>(t, client.listen('*', {}, {events: ['welcome', 'mutation']}))
  const live = collect<LiveEvent>(t, client.live.events({includeDrafts: true}))
  await listened.until(({type}) => type === 'welcome')
  await live.until(({type}) => type === 'welcome')
  for (const [name, write] of writes) {
    await write(client)
    assert.deepEqual(await client.getDocuments(['a', 'drafts.a']), before, name)
    assert.equal(await headOf(lake), head, name)
  }
  // An event about one of those would have arrived before this one.
  await client.create({_id: 'drafts.last', _type: 'post'})
  await listened.until((event) => event.type === 'mutation' && event.documentId === 'drafts.last')
  await live.until(({type}) => type === 'message')
  assert.equal(listened.all.filter(({type}) => type === 'mutation').length, 1)
  assert.equal(live.all.filter(({type}) => type === 'message').length, 1)
})

test('the response to a write that changes nothing has the document as it is', async (t) => {
  const {client} = await runLake(t, files)
  const stored = await client.getDocument('a')
  assert.deepEqual(await client.patch('a').set({title: 'A'}).commit(), stored)
  assert.deepEqual(await client.createOrReplace(post), stored)
  assert.deepEqual(await client.createIfNotExists({_id: 'a', _type: 'post'}), stored)
  assert.deepEqual(await client.createOrReplace(post, {dryRun: true}), stored)
  const {results} = await client
    .transaction()
    .createIfNotExists(post)
    .patch('a', {set: {title: 'A'}})
    .commit({returnDocuments: false})
  assert.deepEqual(
    results.map(({operation}) => operation),
    ['none', 'update'],
  )
})

test('publishing a draft that equals the published document only removes the draft', async (t) => {
  const lake = await runLake(t, files)
  const {client} = lake
  const [stored] = await client.getDocuments(['a'])
  const head = await headOf(lake)
  await client.create({...post, _id: 'drafts.a'})
  await client.action({actionType: 'sanity.action.document.publish', ...pair})
  assert.deepEqual(await client.getDocuments(['a', 'drafts.a']), [stored, null])
  assert.equal(await headOf(lake), head)
})

test('in a transaction, only the documents that differ are committed', async (t) => {
  const lake = await runLake(t, {...files, 'post/b.json': {...post, _id: 'b'}})
  const [a] = await lake.client.getDocuments(['a'])
  await lake.client
    .transaction()
    .createOrReplace(post)
    .patch('b', {set: {title: 'B'}})
    .commit()
  assert.deepEqual(await lake.client.getDocument('a'), a)
  const names = await lake.repository.git('show', '--name-only', '--format=%s', 'HEAD')
  assert.equal(names.trim(), 'Publish post B\n\npost/b.json')
})

test('an edit of a draft that changes nothing is reported to listeners, with a new revision and the same date', async (t) => {
  const {client} = await runLake(t, files)
  const {_updatedAt, _rev} = await client.create({...post, _id: 'drafts.a'})
  const listened = collect<ListenEvent>(t, client.listen('*', {}, {events: ['welcome', 'mutation']}))
  await listened.until(({type}) => type === 'welcome')
  // Studio sends this to have a transaction, and shows "Saving…" until a listener reports it.
  const patch = {unset: ['_empty_action_guard_pseudo_field_']}
  await client.action({actionType: 'sanity.action.document.edit', ...pair, patch}, {transactionId: 'empty'})
  const event = await listened.until(({type}) => type === 'mutation')
  assert.ok(event.type === 'mutation')
  assert.deepEqual(
    [event.transactionId, event.previousRev, event.resultRev, event.documentId],
    ['empty', _rev, 'empty', 'drafts.a'],
  )
  const after = await client.getDocument('drafts.a')
  assert.deepEqual([after?._rev, after?._updatedAt], ['empty', _updatedAt])
})
