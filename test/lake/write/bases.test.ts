import assert from 'node:assert/strict'
import {test} from 'node:test'
import {runLake, runLakeOver} from '../support/lake.ts'

const pair = {draftId: 'drafts.a', publishedId: 'a'}
const edit = {
  actionType: 'sanity.action.document.edit' as const,
  ...pair,
  patch: {set: {title: 'edited'}},
}

test('a document unpublished while it was edited can be published again, after a restart too', async (t) => {
  for (const restarted of [false, true]) {
    const {client, close, repository} = await runLake(t)
    await client.create({_id: 'a', _type: 'post', title: 'published'})
    await client.action(edit)
    await client.action({actionType: 'sanity.action.document.unpublish', ...pair})
    if (restarted) await close()
    const next = restarted ? await runLakeOver(t, repository) : {client}
    await next.client.action({actionType: 'sanity.action.document.publish', ...pair})
    assert.equal((await next.client.getDocument('a'))?.title, 'edited')
  }
})
