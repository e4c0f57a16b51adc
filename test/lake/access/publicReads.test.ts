import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ClientError, type ListenEvent} from '@sanity/client'
import {collect} from '../support/collect.ts'
import {runLake} from '../support/lake.ts'

const files = {
  'post/a.json': {
    _id: 'a',
    _type: 'post',
    title: 'A',
    secret: {_type: 'reference', _ref: 'private.b', _weak: true},
  },
  'post/private.b.json': {_id: 'private.b', _type: 'post', title: 'hidden'},
}

/** API versions with the default perspective `raw`, and with `published`. */
const VERSIONS = ['1', '2021-10-21', '2025-02-18', '2025-02-19', 'X']

test('a client without a token reads published documents of a public lake, whatever its API version', async (t) => {
  const lake = await runLake(t, files)
  await lake.client.create({_id: 'drafts.a', _type: 'post', title: 'draft'})
  await lake.client.create({_id: 'drafts.new', _type: 'post', title: 'draft'})
  for (const apiVersion of VERSIONS) {
    const client = lake.clientWith({apiVersion})
    assert.deepEqual(await client.fetch('*{_id, title}'), [{_id: 'a', title: 'A'}], apiVersion)
    assert.deepEqual(await client.fetch('*{_id}', {}, {perspective: 'raw'}), [{_id: 'a'}], apiVersion)
    assert.equal(await client.fetch('*[_id == "a"][0].secret->title'), null, apiVersion)
    assert.equal((await client.getDocument('a'))?.title, 'A', apiVersion)
    const documents = await client.getDocuments(['a', 'drafts.a', 'private.b', 'none'])
    assert.deepEqual(
      documents.map((document) => document?._id),
      ['a', undefined, undefined, undefined],
      apiVersion,
    )
    const long = `*[_id == "a" || title == "${'x'.repeat(12_000)}"]{_id}`
    assert.deepEqual(await client.fetch(long), [{_id: 'a'}], `${apiVersion}, posted`)
  }
})

test('a client without a token cannot ask for drafts', async (t) => {
  const lake = await runLake(t, files)
  for (const perspective of ['drafts', 'previewDrafts', ['drafts', 'published']] as const)
    await assert.rejects(
      lake
        .clientWith({})
        .fetch('*', {}, {perspective: typeof perspective === 'string' ? perspective : [...perspective]}),
      (error) => error instanceof ClientError && error.statusCode === 401,
    )
})

test('a wrong token is an error on every read of a public lake', async (t) => {
  const lake = await runLake(t, files)
  const client = lake.clientWith({token: 'wrong'})
  const reads = [
    () => client.fetch('*'),
    () => client.getDocument('a'),
    () => client.getDocuments(['a']),
    () => collect<ListenEvent>(t, client.listen('*')).until(() => false),
  ]
  for (const read of reads)
    await assert.rejects(read, (error) => !(error instanceof ClientError) || error.statusCode === 401)
})

test('a session that has ended is an error, where published documents could be taken for all', async (t) => {
  const {address} = await runLake(t, files)
  const name = `handrail_session_${new URL(address).port}`
  const statusOf = async (path: string) => {
    const response = await fetch(address + path, {headers: {cookie: `${name}=ended`}})
    await response.body?.cancel()
    return response.status
  }
  assert.equal(await statusOf('/v1/data/query/production?query=*'), 401)
  assert.equal(await statusOf('/v2025-02-19/data/query/production?query=*&perspective=raw'), 401)
  assert.equal(await statusOf('/v2025-02-19/data/listen/production?query=*'), 401)
  assert.equal(await statusOf('/v2025-02-19/data/query/production?query=*'), 200)
})

test('listeners without a token hear of published documents only', async (t) => {
  const lake = await runLake(t, files)
  const stranger = lake.clientWith({apiVersion: '2021-10-21'})
  const options = {events: ['welcome' as const, 'mutation' as const], includePreviousRevision: true}
  const heard = collect<ListenEvent>(t, stranger.listen('*[_type == "post"]', {}, options))
  await heard.until(({type}) => type === 'welcome')
  await lake.client.create({_id: 'drafts.a', _type: 'post', title: 'draft'})
  await lake.client.patch('private.b').set({title: 'still hidden'}).commit()
  await lake.client.patch('drafts.a').set({title: 'A2'}).commit()
  await lake.client.action({
    actionType: 'sanity.action.document.publish',
    draftId: 'drafts.a',
    publishedId: 'a',
  })
  await lake.client.delete('a')
  const update = await heard.until(({type}) => type === 'mutation')
  const removal = await heard.until(({type}) => type === 'mutation')
  assert.ok(update.type === 'mutation' && removal.type === 'mutation')
  assert.deepEqual(
    [update.documentId, update.transition, update.result?.title, update.previous?.title],
    ['a', 'update', 'A2', 'A'],
  )
  // The draft that was deleted with it is not counted.
  assert.deepEqual(
    [update.transactionTotalEvents, update.transactionCurrentEvent, update.identity],
    [1, 1, ''],
  )
  assert.deepEqual([removal.documentId, removal.transition], ['a', 'disappear'])
  assert.doesNotMatch(JSON.stringify(heard.all), /drafts\.|private\.b","_t|hidden|api-token/)
})

test('the filter of a stranger’s listener sees no drafts in its subqueries', async (t) => {
  const lake = await runLake(t, files)
  const query = '*[_id == "a" && count(*[_id in path("drafts.**")]) > 0]'
  const heard = collect<ListenEvent>(
    t,
    lake.clientWith({}).listen(query, {}, {events: ['welcome', 'mutation']}),
  )
  const known = collect<ListenEvent>(t, lake.client.listen(query, {}, {events: ['welcome', 'mutation']}))
  await heard.until(({type}) => type === 'welcome')
  await known.until(({type}) => type === 'welcome')
  await lake.client.create({_id: 'drafts.a', _type: 'post'})
  await lake.client.patch('a').set({title: 'A2'}).commit()
  await known.until(({type}) => type === 'mutation')
  const other = collect<ListenEvent>(
    t,
    lake.clientWith({}).listen('*', {}, {events: ['welcome', 'mutation']}),
  )
  await other.until(({type}) => type === 'welcome')
  await lake.client.patch('a').set({title: 'A3'}).commit()
  await other.until(({type}) => type === 'mutation')
  assert.equal(heard.all.length, 1)
})

test('slow listener filters of a stranger end its streams, and delay no listener with a token', async (t) => {
  const many = Object.fromEntries(
    Array.from({length: 400}, (_, n) => [`post/p${n}.json`, {_id: `p${n}`, _type: 'post', n}]),
  )
  const lake = await runLake(t, many)
  const slow = '*[count(*[count(*[count(*[n < ^.n && n < ^.^.n && n < ^.^.^.n]) > 999]) > 999]) == 0]'
  const options = {events: ['welcome' as const, 'mutation' as const]}
  const strangers = Array.from({length: 4}, () =>
    collect<ListenEvent>(t, lake.clientWith({}).listen(slow, {}, options)),
  )
  for (const stranger of strangers) await stranger.until(({type}) => type === 'welcome')
  const known = collect<ListenEvent>(t, lake.client.listen('*', {}, options))
  await known.until(({type}) => type === 'welcome')
  await lake.client.patch('p1').set({title: 'changed'}).commit()
  await known.until(({type}) => type === 'mutation')
  for (const stranger of strangers)
    await assert.rejects(
      stranger.until(({type}) => type === 'mutation'),
      /takes too long|too slow/,
    )
})
