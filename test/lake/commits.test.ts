import {equal, rejects} from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import type {ListenEvent, LiveEvent, SanityClient} from '@sanity/client'
import {collect} from './support/collect.ts'
import {type RunningLake, runLake} from './support/lake.ts'

const a = {_id: 'a', _type: 'post', title: 'A'}
const b = {_id: 'b', _type: 'post', title: 'B'}

/** For live events of published documents, the client sends its token only as a header. */
function withHeader(client: SanityClient): SanityClient {
  return client.withConfig({headers: {Authorization: `Bearer ${client.config().token}`}})
}

/** A lake over a repository with two posts, and a Sanity client for it. */
function start(t: TestContext): Promise<RunningLake> {
  return runLake(t, {'post/a.json': a, 'post/b.json': b})
}

test('a listener with an invalid query receives an error', async (t) => {
  const {client} = await start(t)
  for (const [query, reason] of [
    ['*[', /Unexpected end of query/],
    ['count([1])', /listening needs a query with a filter/],
    ['*[_id == $id]', /param \$id referenced/],
  ] satisfies [string, RegExp][]) {
    await rejects(
      collect<ListenEvent>(t, client.listen(query)).until(() => false),
      reason,
    )
  }
})

test('a change of too many documents to report one by one makes listeners reload', async (t) => {
  const {client, repository} = await start(t)
  const listened = collect<ListenEvent>(t, client.listen('*', {}, {events: ['welcome', 'mutation']}))
  const live = collect<LiveEvent>(t, withHeader(client).live.events())
  await listened.until((event) => event.type === 'welcome')
  await live.until((event) => event.type === 'welcome')
  const ids = Array.from({length: 1_001}, (_, number) => `n-${number}`)
  await repository.commitMany(
    Object.fromEntries(ids.map((id) => [`post/${id}.json`, {_id: id, _type: 'post'}])),
  )
  await live.until((event) => event.type === 'restart')
  await listened.until((event) => event.type === 'welcome')
  equal(await client.fetch('count(*[_type == "post"])'), 1_003)
})
