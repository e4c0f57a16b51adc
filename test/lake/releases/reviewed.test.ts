import assert from 'node:assert/strict'
import {test} from 'node:test'
import {changeState} from '../../content/state/changeState.ts'
import {documentAt} from '../support/mutate.ts'
import {assertDone, assertRefused, lookAt, pair, runReviewLake, toolOn} from '../write/reviews/reviewLake.ts'
import {add, discard, edit, later, release, review} from './releaseActions.ts'

const ACTION = 'sanity.action.document.'
const id = 'all-tool'
const evil = {executeJs: 'steal()'}

test('what a release publishes and its review does not name needs its own', async (t) => {
  const {people, lake} = await runReviewLake(t)
  const {author, publisher} = people
  await author.did(
    release('create'),
    add(id, 'all', {name: 'sale'}),
    add('new-tool', 'all', {name: 'added'}),
    review('request'),
  )
  const run = release('publish', 'rSale', await lookAt(lake))
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
  await publisher.did(run)
  assert.equal((await documentAt(lake.address, id))?.name, 'sale')
})

test('a version that was replaced under the same revision is not approved', async (t) => {
  const {people, repository, restart} = await runReviewLake(t)
  await people.author.did(release('create'), add(id, 'all'))
  const change = (set: object) => ({actions: [edit(id, 'rSale', set)], transactionId: 'chosen'})
  assertDone(await people.author.send('actions', change({name: 'sale'})))
  await people.author.did(review('request'))
  // After a thousand other steps, the lake does not know the ID any more.
  changeState(repository, (state) => state.run('DELETE FROM draft_step'))
  const {people: restarted, lake} = await restart()
  const seen = await lookAt(lake)
  assertDone(await restarted.author.send('actions', change(evil)))
  for (const look of [seen, {}])
    assertRefused(await restarted.publisher.actions(release('publish', 'rSale', look)), /changed since/, 409)
  assert.equal((await documentAt(lake.address, id))?.executeJs, 'return 1')
})

test('a release goes out as the reviewer saw it, whatever its author does after the look', async (t) => {
  const {people, lake, repository} = await runReviewLake(t)
  const {author, writer, publisher} = people
  const act = async (...actions: object[]) => await author.did(...actions)
  const ask = review('request')
  const approve = (verb: 'publish' | 'schedule', look: object) =>
    publisher.actions(release(verb, 'rSale', {publishAt: later(), ...look}))
  const assertAll = async (look: object, words: RegExp, status = 409) => {
    for (const verb of ['publish', 'schedule'] as const)
      assertRefused(await approve(verb, look), words, status)
    assert.equal((await documentAt(lake.address, id))?.executeJs, 'return 1')
  }
  await act(release('create'), add(id, 'all', {name: 'sale'}))
  await assertAll({}, /asks for a review .* in the menu of the release/, 403)
  await act(ask)
  const seen = await lookAt(lake)
  await assertAll({}, /Look at the review of tool “sale” first/)
  await assertAll({ifReviewed: 'x'}, /changed since/)
  await act(release('create', 'rOwn'), add(id, 'all', {name: 'sale'}, 'rOwn'), review('request', 'rOwn'))
  await assertAll(await lookAt(lake, '_.releases.rOwn'), /changed since/)

  const attacks: object[][] = [
    [edit(id, 'rSale', evil)],
    [edit(id, 'rSale', evil), ask],
    [review('withdraw'), ask],
    [add('new-tool', 'all', evil), ask],
    [discard('new-tool'), discard(id), add(id, 'all', evil), ask],
    [release('archive'), release('unarchive'), ask],
    [release('archive'), release('delete'), release('create'), add(id, 'all', evil), ask],
  ]
  for (const attack of attacks) {
    await act(...attack)
    await assertAll(seen, /changed since/)
    await assertAll({}, /Look at the review|not what the review/)
  }

  await act(discard(id), add(id, 'all', {name: 'sale'}), ask)
  assertDone(await approve('schedule', seen))
  const time = {publishAt: later(), ...seen}
  for (const attack of [
    edit(id, 'rSale', evil),
    ask,
    release('unschedule'),
    release('schedule', 'rSale', time),
  ])
    assert.notEqual((await author.actions(attack)).status, 200, JSON.stringify(attack))
  await writer.did(release('unschedule'))
  await act(edit(id, 'rSale', evil), ask)
  await assertAll(seen, /changed since/)
  await act(discard(id), add(id, 'all', {name: 'sale'}), ask)
  assertDone(await approve('publish', seen))
  assert.equal((await documentAt(lake.address, id))?.name, 'sale')
  const trailers = await repository.git('log', '-1', '--format=%(trailers:only)')
  assert.match(trailers, /^Co-authored-by: author Name .*\nReviewed-by: publisher Name /m)
})

test('who changes a version as it goes into the archive, or comes back, has written it', async (t) => {
  const {people, lake} = await runReviewLake(t)
  const {author, publisher} = people
  const change = edit(id, 'rSale', evil)
  const ways = [
    [[release('archive')], [release('unarchive'), change]],
    [[change, release('archive')], [release('unarchive')]],
  ]
  await author.did(release('create'))
  for (const way of ways) {
    await author.did(add(id, 'all', {name: 'sale'}))
    for (const actions of way) await publisher.did(...actions)
    await author.did(review('request'))
    const run = release('publish', 'rSale', await lookAt(lake))
    assertRefused(await publisher.actions(run), /You wrote this change/)
    await author.did(discard(id))
  }
})
