import assert from 'node:assert/strict'
import {test} from 'node:test'
import {eventually} from '../../support/eventually.ts'
import {token} from '../support/app.ts'
import {documentAt} from '../support/mutate.ts'
import {accountsIn} from '../support/signIn.ts'
import {assertRefused, lookAt, runReviewLake, toolOn} from '../write/reviews/reviewLake.ts'
import {add, discard, later, release, review, unpublish} from './releaseActions.ts'
import {runTimedLake, schedule} from './timedLake.ts'

const metadata = {
  title: 'Spring sale',
  description: 'Everything for April.\n\nReviewed-by: Mallory <n@example.com>',
  releaseType: 'asap',
}

test('a release is one commit that names it, its authors and its publisher', async (t) => {
  const {lake, people, repository} = await runReviewLake(t)
  const before = (await repository.git('rev-list', '--count', 'HEAD')).trim()
  await people.author.did(release('create', 'rSale', {metadata}), add('free-tool', 'free', {name: 'sale'}))
  // The one who publishes is not named as one of the other authors.
  await people.publisher.did(add('new-tool', 'free', {name: 'added'}))
  await people.publisher.did(release('publish'))
  assert.equal(Number((await repository.git('rev-list', '--count', 'HEAD')).trim()), Number(before) + 1)
  const message = await repository.git('log', '-1', '--format=%an%n%B')
  assert.match(
    message,
    /^publisher Name\nSpring sale\n\n Everything for April\.\n\n Reviewed-by: Mallory <n@example\.com>\n\nDocument: free-tool\nDocument: new-tool\nCo-authored-by: author Name <author@example\.com>\nRelease: rSale\nTransaction: /,
  )
  assert.equal((await repository.git('log', '-1', '--format=%(trailers:key=Reviewed-by)')).trim(), '')
  assert.match(await repository.git('show', 'HEAD:tool/free-tool.json'), /"name": "sale"/)
  const {client} = lake
  assert.deepEqual(await client.fetch('*[_id == "free-tool"][0].name'), 'sale')
})

test('all documents of a release are published, or none', async (t) => {
  const {people, repository, lake} = await runReviewLake(t)
  await people.author.did(
    release('create'),
    add('free-tool', 'free', {name: 'sale'}),
    add('new-tool', 'free'),
  )
  await repository.commit({'tool/free-tool.json': {_id: 'free-tool', ...toolOn('free', {name: 'pushed'})}})
  await eventually(
    () => documentAt(lake.address, 'free-tool'),
    (document) => document?.name === 'pushed',
  )
  assertRefused(
    await people.publisher.actions(release('publish')),
    /Spring|rSale.*tool “sale” changed after its version/,
    409,
  )
  assert.equal(await documentAt(lake.address, 'new-tool'), undefined)
  await people.author.did(discard('free-tool'))
  await people.publisher.did(release('publish'))
  assert.equal((await documentAt(lake.address, 'free-tool'))?.name, 'pushed')
  assert.notEqual(await documentAt(lake.address, 'new-tool'), undefined)
})

test('of two releases with the same document the second one is refused, unless it changes nothing', async (t) => {
  const {people} = await runReviewLake(t)
  await people.author.did(release('create', 'rA'), add('free-tool', 'free', {name: 'sale'}, 'rA'))
  await people.author.did(release('create', 'rB'), add('free-tool', 'free', {name: 'other'}, 'rB'))
  await people.author.did(release('create', 'rC'), add('free-tool', 'free', {name: 'sale'}, 'rC'))
  await people.publisher.did(release('publish', 'rA'))
  assertRefused(await people.publisher.actions(release('publish', 'rB')), /changed after its version/, 409)
  await people.publisher.did(release('publish', 'rC'))
})

test('a draft that a release publishes is gone, and another one stays', async (t) => {
  const {people, lake} = await runReviewLake(t)
  await people.publisher.edit('free-tool', {name: 'same'})
  await people.publisher.edit('code-tool', {title: 'Other'})
  await people.publisher.did(
    release('create'),
    add('free-tool', 'free', {name: 'same'}),
    add('code-tool', 'code', {title: 'Released'}),
  )
  await people.publisher.did(release('publish'))
  assert.equal(await documentAt(lake.address, 'drafts.free-tool'), undefined)
  assert.equal((await documentAt(lake.address, 'drafts.code-tool'))?.title, 'Other')
})

test('a release cannot unpublish what others refer to', async (t) => {
  const {people, lake} = await runReviewLake(t)
  await people.publisher.did(release('create'), unpublish('free'))
  assertRefused(await people.publisher.actions(release('publish')), /references to it from .*free-tool/, 409)
  await people.publisher.did(discard('free'), unpublish('free-tool'))
  await people.publisher.did(release('publish'))
  assert.equal(await documentAt(lake.address, 'free-tool'), undefined)
  assert.equal((await documentAt(lake.address, 'drafts.free-tool'))?.name, 'search')
})

test('the rules for documents hold for the whole release', async (t) => {
  const {people} = await runReviewLake(t)
  const site = (id: string, publicId: string) => ({
    actionType: 'sanity.action.document.version.create',
    publishedId: id,
    document: {_id: `versions.rSale.${id}`, _type: 'site', name: id, publicId},
  })
  await people.publisher.did(release('create'), site('one', 'same'), site('two', 'same'))
  assertRefused(await people.publisher.actions(release('publish')), /same/, 409)
  assertRefused(
    await people.publisher.actions(release('schedule', 'rSale', {publishAt: later()})),
    /same/,
    409,
  )
})

test('a release does not escape the review that it switches off', async (t) => {
  const {people} = await runReviewLake(t)
  const site = {_id: 'versions.rSale.all', _type: 'site', name: 'all', publicId: 'all-public', review: 'none'}
  const version = {actionType: 'sanity.action.document.version.create', publishedId: 'all', document: site}
  await people.publisher.did(release('create'), version, add('all-tool', 'all', {name: 'sale'}))
  assertRefused(await people.publisher.actions(release('publish')), /asks for a review/)
})

test('the one who copies a draft into a release does not hide who wrote it', async (t) => {
  const {people, lake} = await runReviewLake(t)
  await people.publisher.edit('all-tool', {name: 'sale'})
  const copy = {
    actionType: 'sanity.action.document.version.create',
    publishedId: 'all-tool',
    baseId: 'drafts.all-tool',
    versionId: 'versions.rSale.all-tool',
  }
  await people.author.did(release('create'), copy)
  const request = review('request')
  await people.author.did(request)
  assertRefused(await people.publisher.actions(release('publish')), /You wrote this change/)
  await people.author.did(release('archive'), release('unarchive'), request)
  assertRefused(await people.publisher.actions(release('publish')), /You wrote this change/)
  await people.writer.did(release('publish', 'rSale', await lookAt(lake)))
})

test('what a person scheduled is not published once they have lost the right, and the release says why', async (t) => {
  const {people, lake, done, pass, readiness, find} = await runTimedLake(t)
  await people.author.did(release('create', 'rSale', {metadata}), add('free-tool', 'free', {name: 'sale'}))
  await done(schedule('rSale', 24))
  await accountsIn(lake.stateFolder).removeEditor('publisher@example.com')
  const {state, reason} = await pass('rSale')
  assert.equal(state, 'active')
  assert.match(reason, /may not publish tool/)
  assert.match(await readiness(), /RELEASE_FAILED.*A scheduled release was not published"/)
  await people.writer.did(release('publish'))
  assert.equal((await find('_.releases.rSale'))?.error, undefined)
})

test('what a token scheduled is published, unless that token was replaced', async (t) => {
  let tokens = [token]
  const {people, pass, wait, restart} = await runTimedLake(t, {
    get apiTokens() {
      return tokens
    },
  })
  for (const [hours, name] of [
    [24, 'rFirst'],
    [48, 'rSecond'],
  ] as const) {
    await people.program.did(release('create', name), add(`${name}-tool`, 'free', {name}, name))
    await people.program.did(schedule(name, hours))
  }
  assert.equal((await pass('rFirst')).state, 'published')
  const {lake: restarted} = await restart(async () => {
    tokens = ['another-token']
  })
  wait(48)
  const failed = await eventually(
    () => restarted.clientWith({token: 'another-token'}).getDocument('_.releases.rSecond'),
    (document) => document?.error !== undefined,
  )
  assert.match(JSON.stringify(failed?.error), /may not publish tool/)
})

test('a release that Git has already is published again without a commit, as after a restore', async (t) => {
  const {people, repository, lake} = await runReviewLake(t)
  await people.author.did(release('create'), add('free-tool', 'free', {name: 'sale', enabled: true}))
  const version = await documentAt(lake.address, 'versions.rSale.free-tool')
  const {_rev, _createdAt, _updatedAt, ...content} = version ?? {}
  await repository.commit({'tool/free-tool.json': {...content, _id: 'free-tool'}})
  await eventually(
    () => documentAt(lake.address, 'free-tool'),
    (document) => document?.name === 'sale',
  )
  const head = await repository.git('rev-parse', 'HEAD')
  await people.publisher.did(release('publish'))
  assert.equal(await repository.git('rev-parse', 'HEAD'), head)
  assert.equal((await documentAt(lake.address, '_.releases.rSale'))?.state, 'published')
})
