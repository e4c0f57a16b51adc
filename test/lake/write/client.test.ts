import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ClientError, type ListenEvent, type SanityClient} from '@sanity/client'
import {collect} from '../support/collect.ts'
import {runLake} from '../support/lake.ts'

// The hosted Content Lake would pass these tests too.

const published = (client: SanityClient, id: string) => client.fetch<unknown>('*[_id == $id][0]', {id})
const draft = (client: SanityClient, id: string) => client.getDocument(`drafts.${id}`)

/** The type of the first error of a rejected transaction, and the status. */
async function refusalOf(work: Promise<unknown>): Promise<{status: number; type: unknown}> {
  try {
    await work
  } catch (error) {
    assert.ok(error instanceof ClientError, String(error))
    const body: unknown = error.response.body
    assert.ok(typeof body === 'object' && body !== null && 'error' in body)
    const {error: details} = body
    assert.ok(
      typeof details === 'object' && details !== null && 'items' in details && Array.isArray(details.items),
    )
    return {status: error.statusCode, type: details.items[0]?.error?.type}
  }
  throw new Error('nothing was refused')
}

test('create returns the document with the lake’s attributes, and rejects an existing id', async (t) => {
  const {client} = await runLake(t)
  const created = await client.create({_id: 'a', _type: 'post', title: 'A'})
  assert.equal(created.title, 'A')
  for (const name of ['_rev', '_createdAt', '_updatedAt'] as const) assert.ok(created[name])
  assert.deepEqual(await refusalOf(client.create({_id: 'a', _type: 'post'})), {
    status: 409,
    type: 'documentAlreadyExistsError',
  })
  const unnamed = await client.create({_type: 'post'})
  assert.ok(unnamed._id.length > 10)
  const prefixed = await client.create({_id: 'drafts.', _type: 'post'})
  assert.match(prefixed._id, /^drafts\..{10,}/)
})

test('createOrReplace replaces, and createIfNotExists keeps, an existing document', async (t) => {
  const {client} = await runLake(t)
  await client.createOrReplace({_id: 'a', _type: 'post', title: '1'})
  await client.createIfNotExists({_id: 'a', _type: 'post', title: '2'})
  assert.equal((await client.getDocument('a'))?.title, '1')
  await client.createOrReplace({_id: 'a', _type: 'post', text: '3'})
  const replaced = await client.getDocument('a')
  assert.deepEqual([replaced?.title, replaced?.text], [undefined, '3'])
})

test('all patch operators work', async (t) => {
  const {client} = await runLake(t)
  await client.create({
    _id: 'a',
    _type: 'post',
    count: 1,
    title: 'Hello world',
    tags: ['x', 'y'],
    items: [
      {_key: 'one', n: 1},
      {_key: 'two', n: 2},
    ],
    gone: true,
  })
  await client
    .patch('a')
    .set({subtitle: 'S', 'items[_key=="two"].n': 22})
    .setIfMissing({count: 9, extra: 'E'})
    .unset(['gone', 'items[_key=="one"]'])
    .inc({count: 5})
    .insert('after', 'tags[-1]', ['z'])
    .diffMatchPatch({title: '@@ -1,5 +1,5 @@\n-Hello\n+Howdy\n'})
    .commit()
  const {_id, _type, _rev, _createdAt, _updatedAt, ...content} = (await client.getDocument('a')) ?? {}
  assert.deepEqual(content, {
    count: 6,
    title: 'Howdy world',
    tags: ['x', 'y', 'z'],
    items: [{_key: 'two', n: 22}],
    subtitle: 'S',
    extra: 'E',
  })
})

test('ifRevisionID accepts the first of two writers and rejects the second', async (t) => {
  const {client} = await runLake(t)
  const {_rev} = await client.create({_id: 'a', _type: 'post', title: '0'})
  await client.patch('a').ifRevisionId(_rev).set({title: '1'}).commit()
  assert.deepEqual(await refusalOf(client.patch('a').ifRevisionId(_rev).set({title: '2'}).commit()), {
    status: 409,
    type: 'documentRevisionIDDoesNotMatchError',
  })
  assert.equal((await client.getDocument('a'))?.title, '1')
})

test('a transaction is atomic', async (t) => {
  const {client} = await runLake(t)
  const refused = client
    .transaction()
    .create({_id: 'a', _type: 'post'})
    .create({_id: 'drafts.b', _type: 'post'})
    .patch('missing', {set: {title: 'x'}})
    .commit()
  assert.deepEqual(await refusalOf(refused), {status: 409, type: 'documentNotFoundError'})
  assert.deepEqual(await client.getDocuments(['a', 'drafts.b']), [null, null])
  const done = await client
    .transaction()
    .create({_id: 'a', _type: 'post', title: '1'})
    .patch('a', {set: {title: '2'}})
    .create({_id: 'drafts.b', _type: 'post'})
    .commit({returnDocuments: false})
  assert.deepEqual(
    done.results.map(({id, operation}) => `${operation} ${id}`),
    ['create a', 'update a', 'create drafts.b'],
  )
  assert.equal((await client.getDocument('a'))?.title, '2')
})

test('delete works by id and by query, and fails for a referenced document', async (t) => {
  const {client} = await runLake(t)
  await client.create({_id: 'author', _type: 'author'})
  await client.create({_id: 'a', _type: 'post', author: {_type: 'reference', _ref: 'author'}})
  await client.create({_id: 'b', _type: 'post', author: {_type: 'reference', _ref: 'author', _weak: true}})
  assert.deepEqual(await refusalOf(client.delete('author')), {
    status: 409,
    type: 'documentHasExistingReferencesError',
  })
  await client.delete('a')
  await client.delete('author')
  await client.delete({query: '*[_type == $type]', params: {type: 'post'}})
  assert.deepEqual(await client.getDocuments(['author', 'a', 'b']), [null, null, null])
})

test('a dry run returns the result without storing it', async (t) => {
  const {client} = await runLake(t)
  const document = await client.create({_id: 'a', _type: 'post'}, {dryRun: true})
  assert.equal(document._id, 'a')
  assert.equal(await client.getDocument('a'), undefined)
})

test('listen reports creation, change and deletion with the client’s transaction id', async (t) => {
  const {client} = await runLake(t)
  const events = collect<ListenEvent<Record<string, unknown>>>(
    t,
    client.listen('*[_type == "post"]', {}, {events: ['welcome', 'mutation']}),
  )
  await events.until(({type}) => type === 'welcome')
  const {transactionId} = await client
    .transaction()
    .create({_id: 'drafts.a', _type: 'post'})
    .commit({transactionId: 'mine'})
  assert.equal(transactionId, 'mine')
  await client.patch('drafts.a').set({title: 'x'}).commit()
  await client.delete('drafts.a')
  const told = []
  for (let number = 0; number < 3; number += 1) {
    const event = await events.until(({type}) => type === 'mutation')
    assert.ok(event.type === 'mutation')
    told.push([event.transition, event.documentId])
    if (number === 0) assert.equal(event.transactionId, 'mine')
  }
  assert.deepEqual(told, [
    ['appear', 'drafts.a'],
    ['update', 'drafts.a'],
    ['disappear', 'drafts.a'],
  ])
})

test('actions publish, unpublish and delete a document', async (t) => {
  const {client} = await runLake(t)
  const pair = {draftId: 'drafts.a', publishedId: 'a'}
  await client.action({
    actionType: 'sanity.action.document.create',
    publishedId: 'a',
    attributes: {_id: 'drafts.a', _type: 'post', title: '1'},
    ifExists: 'fail',
  })
  assert.equal(await published(client, 'a'), null)
  await client.action({actionType: 'sanity.action.document.publish', ...pair})
  assert.equal(await draft(client, 'a'), undefined)
  assert.ok(await published(client, 'a'))

  await client.action({actionType: 'sanity.action.document.edit', ...pair, patch: {set: {title: '2'}}})
  assert.equal((await draft(client, 'a'))?.title, '2')
  assert.equal((await client.getDocument('a'))?.title, '1')
  await client.action({actionType: 'sanity.action.document.discard', draftId: 'drafts.a'})
  assert.equal(await draft(client, 'a'), undefined)

  await client.action({actionType: 'sanity.action.document.unpublish', ...pair})
  assert.equal(await published(client, 'a'), null)
  assert.equal((await draft(client, 'a'))?.title, '1')
  await client.action({actionType: 'sanity.action.document.publish', ...pair})
  await client.action({actionType: 'sanity.action.document.edit', ...pair, patch: {set: {title: '3'}}})
  await client.action({
    actionType: 'sanity.action.document.delete',
    publishedId: 'a',
    includeDrafts: ['drafts.a'],
  })
  assert.deepEqual(await client.getDocuments(['a', 'drafts.a']), [null, null])
})

test('publishing turns temporarily weak references into strong ones', async (t) => {
  const {client} = await runLake(t)
  await client.create({_id: 'author', _type: 'author'})
  await client.create({
    _id: 'drafts.a',
    _type: 'post',
    author: {_type: 'reference', _ref: 'author', _weak: true, _strengthenOnPublish: {type: 'author'}},
  })
  await client.action({actionType: 'sanity.action.document.publish', draftId: 'drafts.a', publishedId: 'a'})
  assert.deepEqual((await client.getDocument('a'))?.author, {_type: 'reference', _ref: 'author'})
})

test('a failed action is rejected with its index and reason', async (t) => {
  const {client} = await runLake(t)
  await assert.rejects(
    client.action({actionType: 'sanity.action.document.publish', draftId: 'drafts.a', publishedId: 'a'}),
    (error) =>
      error instanceof ClientError &&
      error.statusCode === 409 &&
      /"drafts\.a" was not found/.test(error.message),
  )
})
