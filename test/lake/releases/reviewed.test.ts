import assert from 'node:assert/strict'
import {test} from 'node:test'
import {changeState} from '../../content/state/changeState.ts'
import {documentAt} from '../support/mutate.ts'
import {assertDone, assertRefused, pair, runReviewLake, toolOn} from '../write/reviews/reviewLake.ts'
import {add, discard, edit, release, review} from './releaseActions.ts'

const ACTION = 'sanity.action.document.'
const id = 'all-tool'
const evil = {executeJs: 'steal()'}

test('what a release publishes and its review does not name needs its own', async (t) => {
  const {people, lake} = await runReviewLake(t)
  const {author, publisher} = people
  assertDone(
    await author.actions(
      release('create'),
      add(id, 'all', {name: 'sale'}),
      add('new-tool', 'all', {name: 'added'}),
      review('request'),
    ),
  )
  const run = release('publish')
  const created = {
    actionType: `${ACTION}create`,
    publishedId: id,
    attributes: {_id: `drafts.${id}`, ...toolOn('all', evil)},
  }
  const published = {actionType: `${ACTION}publish`, ...pair(id)}
  const ways: Record<string, object[]> = {
    'an own draft of it': [run, created, published],
    'an own draft of it, first': [created, published, run],
    'its deletion': [run, {actionType: `${ACTION}delete`, publishedId: id}],
    'its unpublishing': [run, {actionType: `${ACTION}unpublish`, ...pair(id)}],
    'a second release': [
      run,
      release('create', 'rOwn'),
      add(id, 'all', evil, 'rOwn'),
      release('publish', 'rOwn'),
    ],
    'an edited version': [edit(id, 'rSale', evil), run],
    'an added version': [add('other-tool', 'all', evil), run],
    'the release without one of its documents': [discard('new-tool'), run],
  }
  for (const [what, actions] of Object.entries(ways)) {
    const {status, text} = await publisher.actions(...actions)
    assert.ok(status === 409 || status === 403, `${what}: ${status} ${text}`)
    assert.equal((await documentAt(lake.address, id))?.executeJs, 'return 1', what)
  }
  assertDone(await publisher.actions(run))
  assert.equal((await documentAt(lake.address, id))?.name, 'sale')
})

test('a version that was replaced under the same revision is not approved', async (t) => {
  const {people, repository, restart} = await runReviewLake(t)
  assertDone(await people.author.actions(release('create'), add(id, 'all')))
  const change = (set: object) => ({actions: [edit(id, 'rSale', set)], transactionId: 'chosen'})
  assertDone(await people.author.send('actions', change({name: 'sale'})))
  assertDone(await people.author.actions(review('request')))
  // After a thousand other steps, the lake does not know the ID any more.
  changeState(repository, (state) => state.run('DELETE FROM draft_step'))
  const {people: later, lake} = await restart()
  const {client} = lake
  const query = '*[_type == "handrail.review"][0].after'
  const ifReviewed = await client.fetch<string>(query, {}, {perspective: 'raw'})
  assertDone(await later.author.send('actions', change(evil)))
  assertRefused(await later.publisher.actions(release('publish', 'rSale', {ifReviewed})), /revision/, 409)
  assertRefused(await later.publisher.actions(release('publish')), /changed since/, 409)
  assert.equal((await documentAt(lake.address, id))?.executeJs, 'return 1')
})
