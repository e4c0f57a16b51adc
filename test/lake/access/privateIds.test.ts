import assert from 'node:assert/strict'
import {test} from 'node:test'
import {isJsonObject} from '../../../common/json.ts'
import {queryPath} from '../support/app.ts'
import {readEvents} from '../support/events.ts'
import {runLake} from '../support/lake.ts'

const files = {
  'post/a.json': {_id: 'a', _type: 'post', secret: {_ref: 'secret.b', _type: 'reference'}},
  'post/secret.b.json': {
    _id: 'secret.b',
    _type: 'post',
    title: 'hidden',
    open: {_ref: 'a', _type: 'reference'},
  },
}

test('a stranger cannot see a document with a dot in its id by any query or route', async (t) => {
  const {address, client} = await runLake(t, files)
  await client.create({_id: 'drafts.a', _type: 'post', title: 'hidden'})
  const version = `${address}/v2025-02-19`
  const rows: [query: string, result: unknown][] = [
    ['*._id', ['a']],
    ['count(*)', 1],
    ['*[_id == "secret.b"]', []],
    ['*[_id in ["secret.b", "drafts.a"]]._id', []],
    ['*[_id in path("secret.*")]._id', []],
    ['*[_id == "a"][0].secret->title', null],
    ['*[references("a")]._id', []],
    ['*[title match "hidden"]._id', []],
  ]
  for (const [query, expected] of rows) {
    const body: unknown = await (await fetch(version + queryPath(query))).json()
    assert.deepEqual(isJsonObject(body) && body.result, expected, query)
    const posted = await fetch(`${version}/data/query/production`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({query}),
    })
    assert.deepEqual(Object(await posted.json()).result, expected, query)
  }
  assert.deepEqual(await client.fetch('*._id', {}, {perspective: 'published'}), ['a', 'secret.b'])

  const doc = await fetch(`${version}/data/doc/production/secret.b,a,drafts.a,secret.none,none`)
  const {documents, omitted} = Object(await doc.json())
  assert.deepEqual(
    documents.map((document: unknown) => isJsonObject(document) && document._id),
    ['a'],
  )
  assert.deepEqual(omitted, [
    {id: 'secret.b', reason: 'permission'},
    {id: 'drafts.a', reason: 'permission'},
    {id: 'secret.none', reason: 'permission'},
    {id: 'none', reason: 'existence'},
  ])
})

test('live events do not reveal such a document to strangers', async (t) => {
  const {address, client} = await runLake(t, files)
  const url = `${address}/v2025-02-19/data/live/events/production`
  const stranger = await readEvents(t, url, {authorization: ''})
  const program = await readEvents(t, url)
  for (const reader of [stranger, program]) assert.equal((await reader.next()).event, 'welcome')
  await client.patch('secret.b').set({title: 'still hidden'}).commit()
  await client.patch('a').set({title: 'open'}).commit()
  const seen = Object((await stranger.next()).data)
  const [first, second] = [Object((await program.next()).data), Object((await program.next()).data)]
  assert.notDeepEqual(first.tags, seen.tags)
  assert.deepEqual(second.tags, seen.tags)
  // A stranger that reconnects does not learn of it either.
  const back = await readEvents(t, url, {authorization: '', 'last-event-id': first.id})
  assert.equal((await back.next()).event, 'welcome')
  assert.deepEqual(Object((await back.next()).data), seen)
})
