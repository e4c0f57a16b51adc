import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Rights, Role} from '../../../lake/access/rights/rights.ts'
import {documentAt} from '../support/mutate.ts'
import {accountsIn, auditTextIn} from '../support/signIn.ts'
import {assertDone, assertRefused, person, runReviewLake, toolOn} from '../write/reviews/reviewLake.ts'
import {add, discard, edit, later, release, review, unpublish} from './releaseActions.ts'

/** Programs with a role for one site each. */
async function runSites(...[t]: Parameters<typeof runReviewLake>) {
  const running = await runReviewLake(t)
  const {address, stateFolder} = running.lake
  const withRights = async (role: Role, site: string) => {
    const rights: Rights = [{role, sites: [site]}]
    const token = await accountsIn(stateFolder).tokens.add(`${role} of ${site}`, rights)
    return person(address, {authorization: `Bearer ${token}`})
  }
  return {...running, withRights, find: (id: string) => documentAt(address, id)}
}

test('who may publish the rest of a release takes out a version, which becomes the draft of its author', async (t) => {
  const {people, withRights, find, lake} = await runSites(t)
  const publisher = await withRights('publisher', 'free')
  const stranger = await withRights('publisher', 'tests')
  await people.writer.did(
    release('create'),
    add('free-tool', 'free', {name: 'sale'}),
    add('all-tool', 'all', {name: 'foreign'}),
    unpublish('code-tool'),
  )
  assertRefused(await publisher.actions(release('publish')), /You may not/)
  assertRefused(await stranger.actions(discard('all-tool')), /You may not discard/)
  assertRefused(await publisher.actions(discard('all-tool')), /You may not discard/)
  await publisher.did(discard('all-tool'), discard('code-tool'))
  await publisher.did(release('publish'))
  assert.equal((await find('free-tool'))?.name, 'sale')
  const draft = await find('drafts.all-tool')
  const revision = String(draft?._rev)
  assert.equal(draft?.name, 'foreign')
  assert.equal(await find('drafts.code-tool'), undefined)
  // Its author may still not approve it, and who took it out did not write it.
  assertDone(await people.author.request('all-tool', revision))
  assertRefused(await people.writer.publish('all-tool', revision), /You wrote this change/)
  assertDone(await people.publisher.publish('all-tool', revision))
  assert.equal((await lake.client.getDocument('all-tool'))?.name, 'foreign')
})

test('the audit log has one event for each kind of action on releases and reviews of a transaction', async (t) => {
  const {people, lake} = await runReviewLake(t)
  const metadata = {title: 'Spring'}
  const time = later()
  const steps: [keyof typeof people, ...object[]][] = [
    ['author', release('create', 'rSale', {metadata}), release('create', 'rB'), add('free-tool', 'free')],
    ['author', ...Array.from({length: 50}, () => review('request'))],
    ['publisher', release('schedule', 'rSale', {publishAt: time})],
    ['publisher', release('unschedule')],
    ['author', release('archive')],
    ['author', release('unarchive')],
    ['publisher', release('publish')],
    ['publisher', release('delete')],
  ]
  for (const [who, ...actions] of steps) assertDone(await people[who].actions(...actions))
  await lake.close()
  const events = auditTextIn(lake.stateFolder)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const texts = events.filter(({type}) => /^(release|review)/.test(type)).map(({text}) => text)
  assert.deepEqual(texts, [
    'author Name created the release “Spring”, “rB”',
    'author Name requested a review of “Spring”: “Please”',
    `publisher Name scheduled the release “Spring” for ${time}`,
    'publisher Name unscheduled the release “Spring”',
    'author Name archived the release “Spring”',
    'author Name unarchived the release “Spring”',
    'publisher Name published the release “Spring”',
    'publisher Name deleted the release “Spring”',
  ])
})

test('a version is not taken out over another draft of its document', async (t) => {
  const {people, withRights, find} = await runSites(t)
  const publisher = await withRights('publisher', 'free')
  assertDone(await people.author.mutate({create: {...toolOn('all'), _id: 'drafts.all-tool', name: 'other'}}))
  await people.author.did(release('create'), add('free-tool', 'free'), add('all-tool', 'all'))
  assertRefused(await publisher.actions(discard('all-tool')), /because there is another one/, 409)
  assert.equal((await find('drafts.all-tool'))?.name, 'other')
})

test('who takes out a version changes nothing of it in the same transaction', async (t) => {
  const {people, withRights, find} = await runSites(t)
  const publisher = await withRights('publisher', 'free')
  await people.writer.did(
    release('create'),
    add('free-tool', 'free'),
    add('all-tool', 'all', {name: 'foreign'}),
    unpublish('code-tool'),
  )
  const both = [discard('all-tool'), discard('code-tool')]
  const draft = {draftId: 'drafts.all-tool', publishedId: 'all-tool'}
  const evil = {executeJs: 'steal()'}
  const ways = [
    {actionType: 'sanity.action.document.edit', ...draft, patch: {set: evil}},
    {actionType: 'sanity.action.document.discard', ...draft},
    add('all-tool', 'all', evil),
  ]
  for (const way of ways) assertRefused(await publisher.actions(...both, way), /You may not/)
  const other = {...draft, draftId: 'drafts.code-tool', publishedId: 'code-tool'}
  const marked = {actionType: 'sanity.action.document.edit', ...other, patch: {set: evil}}
  assertRefused(await publisher.actions(...both, marked), /You may not/)
  assertRefused(await publisher.actions(edit('all-tool', 'rSale', evil), ...both), /on its own/, 400)
  assert.equal((await find('versions.rSale.all-tool'))?.name, 'foreign')
  assert.equal(await find('drafts.all-tool'), undefined)
})
