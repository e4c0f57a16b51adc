import assert from 'node:assert/strict'
import {test} from 'node:test'
import {eventually} from '../../support/eventually.ts'
import {assertRefused, lookAt, toolOn} from '../write/reviews/reviewLake.ts'
import {add, edit, release, review, unpublish} from './releaseActions.ts'
import {runTimedLake, schedule} from './timedLake.ts'

const copy = (id: string, baseId: string, releaseId: string) => ({
  actionType: 'sanity.action.document.version.create',
  publishedId: id,
  baseId,
  versionId: `versions.${releaseId}.${id}`,
})

const publish = (id: string) => ({
  actionType: 'sanity.action.document.publish',
  publishedId: id,
  draftId: `drafts.${id}`,
})

test('the end of a campaign replaces what its start published, also what the start alone has', async (t) => {
  const {done, pass, nameOf, find} = await runTimedLake(t)
  await done(
    release('create', 'rStart'),
    add('free-tool', 'free', {name: 'sale'}, 'rStart'),
    add('new-tool', 'free', {name: 'added'}, 'rStart'),
    release('create', 'rEnd'),
    add('free-tool', 'free', {name: 'search'}, 'rEnd'),
    unpublish('new-tool', 'rEnd'),
  )
  await done(schedule('rEnd', 48))
  await done(schedule('rStart', 24))
  assert.equal((await pass('rStart')).state, 'published')
  assert.deepEqual([await nameOf('free-tool'), await nameOf('new-tool')], ['sale', 'added'])
  assert.equal((await pass('rEnd')).state, 'published')
  assert.deepEqual([await nameOf('free-tool'), await nameOf('new-tool')], ['search', undefined])
  assert.equal((await find('drafts.new-tool'))?.name, 'added')
})

test('a version made from that of an earlier release replaces it, and is published without it, too', async (t) => {
  for (const isStarted of [true, false]) {
    const {done, pass, nameOf} = await runTimedLake(t)
    await done(
      release('create', 'rStart'),
      add('free-tool', 'free', {name: 'sale'}, 'rStart'),
      release('create', 'rEnd'),
      copy('free-tool', 'versions.rStart.free-tool', 'rEnd'),
      edit('free-tool', 'rEnd', {description: 'It ended.'}),
    )
    await done(schedule('rStart', 24))
    await done(schedule('rEnd', 48))
    if (isStarted) assert.equal((await pass('rStart')).state, 'published')
    else await done(release('unschedule', 'rStart'))
    assert.equal((await pass('rEnd')).state, 'published')
    assert.equal(await nameOf('free-tool'), 'sale')
  }
})

test('a scheduled release that others overtake publishes its own change, or says early that it cannot', async (t) => {
  const {people, done, pass, find, readiness} = await runTimedLake(t)
  await done(release('create', 'rSale'), add('free-tool', 'free', {name: 'sale'}))
  await done(schedule('rSale', 24))
  await people.publisher.edit('free-tool', {description: 'Without a typo.'})
  await done(publish('free-tool'))
  await done(release('create', 'rOther'), copy('free-tool', 'free-tool', 'rOther'))
  await done(edit('free-tool', 'rOther', {name: 'other'}))
  await done(schedule('rOther', 48))
  assert.equal((await pass('rSale')).state, 'published')
  const {name, description} = (await find('free-tool')) ?? {}
  assert.deepEqual([name, description], ['sale', 'Without a typo.'])

  assert.doesNotMatch(await readiness(), /RELEASE_OVERTAKEN/)
  await people.publisher.edit('free-tool', {name: 'corrected'})
  await done(publish('free-tool'))
  await eventually(readiness, /RELEASE_OVERTAKEN/)
  const {state, reason} = await pass('rOther')
  assert.equal(state, 'active')
  assert.match(reason, /tool “corrected”|tool “other”/)
  assert.equal((await find('free-tool'))?.name, 'corrected')
})

test('a reviewed release that would publish something else says so early, and keeps its review', async (t) => {
  const {people, lake, done, pass, readiness} = await runTimedLake(t)
  const {author, publisher} = people
  const script = {executeJs: 'return 2'}
  await author.did(release('create'), copy('code-tool', 'code-tool', 'rSale'))
  await author.did(edit('code-tool', 'rSale', script), review('request'))
  await done(schedule('rSale', 24, await lookAt(lake)))
  for (const verb of ['withdraw', 'sendBack', 'request'])
    assertRefused(await publisher.actions(review(verb)), /is scheduled: unschedule it/, 409)
  await publisher.did(review('comment'))
  assert.doesNotMatch(await readiness(), /RELEASE_OVERTAKEN/)
  await publisher.edit('code-tool', {description: 'Without a typo.'})
  await done(publish('code-tool'))
  await eventually(readiness, /RELEASE_OVERTAKEN/)
  assert.match((await pass('rSale')).reason, /not what the review was requested for/)
})

test('a correction between the start and the end of a campaign stays', async (t) => {
  const {people, done, pass, find} = await runTimedLake(t)
  await done(
    release('create', 'rStart'),
    copy('free-tool', 'free-tool', 'rStart'),
    edit('free-tool', 'rStart', {name: 'sale'}),
    release('create', 'rEnd'),
    copy('free-tool', 'free-tool', 'rEnd'),
  )
  await done(schedule('rStart', 24))
  await done(schedule('rEnd', 48))
  await people.publisher.edit('free-tool', {description: 'Without a typo.'})
  await done(publish('free-tool'))
  assert.equal((await pass('rStart')).state, 'published')
  assert.equal((await find('free-tool'))?.name, 'sale')
  assert.equal((await pass('rEnd')).state, 'published')
  const {name, description} = (await find('free-tool')) ?? {}
  assert.deepEqual([name, description], ['search', 'Without a typo.'])
})

test('a release that unpublishes a site with its tool says what to do', async (t) => {
  const {done, people} = await runTimedLake(t)
  await done(release('create', 'rSale'), unpublish('free-tool'), unpublish('free'))
  const refused = await people.publisher.actions(release('publish'))
  assertRefused(refused, /drafts\.free-tool.* stays and references .*free.*switch it off/, 409)
})

test('a version made from that of a release that a person ran is published after it', async (t) => {
  const {done, find} = await runTimedLake(t)
  await done(release('create', 'rA'), add('free-tool', 'free', {name: 'a'}, 'rA'))
  await done(
    release('create', 'rB'),
    copy('free-tool', 'versions.rA.free-tool', 'rB'),
    edit('free-tool', 'rB', {description: 'It follows.'}),
  )
  await done(release('publish', 'rA'))
  await done(release('publish', 'rB'))
  const {name, description} = (await find('free-tool')) ?? {}
  assert.deepEqual([name, description], ['a', 'It follows.'])
})

test('a draft that is edited after it was scheduled is published afterwards', async (t) => {
  const {people, done, pass, nameOf} = await runTimedLake(t)
  const attributes = {_id: 'drafts.new-tool', ...toolOn('free', {name: 'first'})}
  await done({actionType: 'sanity.action.document.create', publishedId: 'new-tool', attributes})
  await people.publisher.edit('free-tool', {name: 'first'})
  for (const id of ['free-tool', 'new-tool']) {
    const releaseId = `r-${id}`
    await done(release('create', releaseId), copy(id, `drafts.${id}`, releaseId))
    await done(schedule(releaseId, id === 'free-tool' ? 24 : 48))
    await people.publisher.mutate({patch: {id: `drafts.${id}`, set: {name: `second-${id}`}}})
    assert.equal((await pass(releaseId)).state, 'published')
    assert.equal(await nameOf(id), 'first')
    await done(publish(id))
    assert.equal(await nameOf(id), `second-${id}`)
  }
})

test('a draft is outdated if its scheduled copy was changed before it was published', async (t) => {
  const {people, done, pass} = await runTimedLake(t)
  await people.publisher.edit('free-tool', {name: 'first'})
  await done(
    release('create', 'rSale'),
    copy('free-tool', 'drafts.free-tool', 'rSale'),
    edit('free-tool', 'rSale', {description: 'Only here.'}),
  )
  await done(schedule('rSale', 24))
  await people.publisher.edit('free-tool', {name: 'second'})
  await pass('rSale')
  assertRefused(await people.publisher.actions(publish('free-tool')), /published again/, 409)
})

test('a tool that was deleted does not come back with a release that unpublishes it', async (t) => {
  const {done, find} = await runTimedLake(t)
  await done(release('create', 'rSale'), unpublish('free-tool'))
  await done({actionType: 'sanity.action.document.delete', publishedId: 'free-tool', includeDrafts: []})
  await done(release('publish'))
  assert.equal(await find('drafts.free-tool'), undefined)
})
