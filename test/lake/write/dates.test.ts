import assert from 'node:assert/strict'
import {test} from 'node:test'
import {runLake, runLakeOver} from '../support/lake.ts'

const DATES = {_createdAt: '2019-05-01T10:00:00Z', _updatedAt: '2022-01-01T10:00:00.5Z'}
const textFiles = {post: {body: 'txt'}}

test('dates that a client names are in the repository, as long as they are true', async (t) => {
  const lake = await runLake(t, {'post/old.json': {_id: 'old', _type: 'post'}}, {textFiles})
  const {client, repository} = lake
  const file = async (path: string) => JSON.parse(await repository.git('show', `HEAD:post/${path}.json`))
  const keys = async (path: string) => Object.keys(await file(path)).join(' ')
  const datesOf = async (id: string) => {
    const {_createdAt, _updatedAt} = (await client.getDocument(id)) ?? {}
    return {_createdAt, _updatedAt}
  }
  const publish = async (id: string, set: object) => {
    const pair = {draftId: `drafts.${id}`, publishedId: id}
    await client.action([
      {actionType: 'sanity.action.document.edit', ...pair, patch: {set}},
      {actionType: 'sanity.action.document.publish', ...pair},
    ])
  }

  await client.create({_id: 'a', _type: 'post', title: 'A', body: 'text', ...DATES})
  assert.deepEqual(await datesOf('a'), DATES)
  const {_rev} = (await client.getDocument('a')) ?? {}
  assert.deepEqual(await file('a'), {_id: 'a', _rev, _type: 'post', title: 'A', ...DATES})

  await publish('a', {title: 'B'})
  assert.equal(await keys('a'), '_createdAt _id _type title')
  const changed = await datesOf('a')
  assert.equal(changed._createdAt, DATES._createdAt)
  assert.ok(Date.parse(String(changed._updatedAt)) > Date.now() - 600_000)

  await client.patch('a').set({body: 'other text'}).commit()
  assert.equal((await datesOf('a'))._createdAt, DATES._createdAt)
  assert.equal(await keys('a'), '_createdAt _id _type title')

  await publish('old', {title: 'Old'})
  assert.equal(await keys('old'), '_id _type title', 'a date of a commit is not stored')

  const future = {_createdAt: '2999-01-01T00:00:00Z', _updatedAt: '2999-01-01T00:00:00Z'}
  await client.create({_id: 'b', _type: 'post', ...future})
  await client.create({_id: 'drafts.b', _type: 'post', ...future})
  for (const id of ['b', 'drafts.b']) assert.notEqual((await datesOf(id))._updatedAt, future._updatedAt)
  assert.equal(await keys('b'), '_id _type')

  await client
    .transaction()
    .create({_id: 'c', _type: 'post', ...DATES})
    .patch('c', {set: {title: 'C'}})
    .commit()
  assert.equal(await keys('c'), '_createdAt _id _type title', 'the patch is of now')

  await client.create({_id: 'd', _type: 'post', body: 'text', ...DATES})
  const documents = await client.fetch('*[_type == "post"] | order(_id)', {}, {perspective: 'published'})
  await lake.close()
  const again = await runLakeOver(t, repository, {textFiles})
  const known = await again.client.fetch('*[_type == "post"] | order(_id)', {}, {perspective: 'published'})
  assert.deepEqual(known, documents)

  // Someone who edits a text by hand need not touch the dates.
  const commit = await repository.commit({'post/d.txt': 'by hand\n'})
  const seconds = Number(await repository.git('log', '-1', '--format=%ct', commit))
  const updated = new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
  const waiting = {_createdAt: DATES._createdAt, _updatedAt: updated}
  await again.client.patch('a').set({title: 'C'}).commit()
  const {_createdAt, _updatedAt} = (await again.client.getDocument('d')) ?? {}
  assert.deepEqual({_createdAt, _updatedAt}, waiting)
})
