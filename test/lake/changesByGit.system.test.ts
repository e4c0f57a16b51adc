import {equal} from 'node:assert/strict'
import {test} from 'node:test'
import type {ListenEvent, LiveEvent} from '@sanity/client'
import {collect} from './support/collect.ts'
import {cloneOf} from './support/git.ts'
import {runLake} from './support/lake.ts'

const a = {_id: 'a', _type: 'post', title: 'A'}

test('a push is visible to queries, listeners and live events', async (t) => {
  const {client, repository} = await runLake(t, {'post/a.json': a})
  const person = await cloneOf(t, repository)
  await person.commit({'post/a.json': {...a, title: 'new'}})
  const listened = collect<ListenEvent>(
    t,
    client.listen('*[_type == "post"]', {}, {events: ['welcome', 'mutation']}),
  )
  const live = collect<LiveEvent>(t, client.live.events({includeDrafts: true}))
  await listened.until((event) => event.type === 'welcome')
  await live.until((event) => event.type === 'welcome')

  await person.git('push', '--quiet', 'origin', 'HEAD:main')
  await listened.until((event) => event.type === 'mutation')
  await live.until((event) => event.type === 'message')
  equal((await client.getDocument('a'))?.title, 'new')
})
