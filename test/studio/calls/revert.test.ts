import assert from 'node:assert/strict'
import {test} from 'node:test'
import {fetchActivity} from '../../../studio/activity/activity.ts'
import {revertToBefore} from '../../../studio/calls/revert.ts'
import {temporaryRepository} from '../../lake/support/git.ts'
import {runLakeOver} from '../../lake/support/lake.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

test('a tool is reverted as a draft, from any publish that the activity lists, and no draft is overwritten', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'site/shop.json': siteDocument()}, 1_000)
  const texts = ['One.', 'Two.', 'Three.', 'Four.']
  for (const [index, description] of texts.entries())
    await repository.commit({'tool/search.json': toolDocument({description})}, 2_000 + index)
  const {client} = await runLakeOver(t, repository)
  const activity = await fetchActivity(client, {limit: 10, references: 'shop'}, new AbortController().signal)
  const times = activity?.changes.map(({timestamp}) => Date.parse(timestamp)) ?? []
  const [four = 0, , two = 0, one = 0] = times

  const draft = async () => client.getDocument('drafts.search')
  await revertToBefore(client, 'search', four)
  assert.equal((await draft())?.description, 'Three.')
  assert.equal((await client.getDocument('search'))?.description, 'Four.')

  await client.patch('drafts.search').set({description: 'Mine.'}).commit()
  await assert.rejects(revertToBefore(client, 'search', two), /changes that are not published/)
  assert.equal((await draft())?.description, 'Mine.')

  await client.delete('drafts.search')
  await revertToBefore(client, 'search', two)
  assert.equal((await draft())?.description, 'One.')
  await assert.rejects(revertToBefore(client, 'search', one), /no earlier version/)
})
