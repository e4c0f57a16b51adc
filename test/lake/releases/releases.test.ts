import assert from 'node:assert/strict'
import {test} from 'node:test'
import {eventually} from '../../support/eventually.ts'
import {token} from '../support/app.ts'
import {documentAt} from '../support/mutate.ts'
import {accountsIn} from '../support/signIn.ts'
import {assertDone, assertRefused, lookAt, runReviewLake, toolOn} from '../write/reviews/reviewLake.ts'
import {add, discard, later, release, review, unpublish} from './releaseActions.ts'

const metadata = {
  title: 'Spring sale',
  description: 'Everything for April.\n\nReviewed-by: Mallory <n@example.com>',
  releaseType: 'asap',
}

test('a release is one commit that names it, its authors and its publisher', async (t) => {
  const {lake, people, repository} = await runReviewLake(t)
  const before = (await repository.git('rev-list', '--count', 'HEAD')).trim()
  assertDone(
    await people.author.actions(
      release('create', 'rSale', {metadata}),
      add('free-tool', 'free', {name: 'sale'}),
    ),
  )
  // The one who publishes is not named as one of the other authors.
  assertDone(await people.publisher.actions(add('new-tool', 'free', {name: 'added'})))
  assertDone(await people.publisher.actions(release('publish')))
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
  assertDone(
    await people.author.actions(
      release('create'),
      add('free-tool', 'free', {name: 'sale'}),
      add('new-tool', 'free'),
    ),
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
  assertDone(await people.author.actions(discard('free-tool')))
  assertDone(await people.publisher.actions(release('publish')))
  assert.equal((await documentAt(lake.address, 'free-tool'))?.name, 'pushed')
  assert.notEqual(await documentAt(lake.address, 'new-tool'), undefined)
})

test('of two releases with the same document the second one is refused, unless it changes nothing', async (t) => {
  const {people} = await runReviewLake(t)
  assertDone(
    await people.author.actions(release('create', 'rA'), add('free-tool', 'free', {name: 'sale'}, 'rA')),
  )
  assertDone(
    await people.author.actions(release('create', 'rB'), add('free-tool', 'free', {name: 'other'}, 'rB')),
  )
  assertDone(
    await people.author.actions(release('create', 'rC'), add('free-tool', 'free', {name: 'sale'}, 'rC')),
  )
  assertDone(await people.publisher.actions(release('publish', 'rA')))
  assertRefused(await people.publisher.actions(release('publish', 'rB')), /changed after its version/, 409)
  assertDone(await people.publisher.actions(release('publish', 'rC')))
})

test('a draft that a release publishes is gone, and another one stays', async (t) => {
  const {people, lake} = await runReviewLake(t)
  await people.publisher.edit('free-tool', {name: 'same'})
  await people.publisher.edit('code-tool', {title: 'Other'})
  assertDone(
    await people.publisher.actions(
      release('create'),
      add('free-tool', 'free', {name: 'same'}),
      add('code-tool', 'code', {title: 'Released'}),
    ),
  )
  assertDone(await people.publisher.actions(release('publish')))
  assert.equal(await documentAt(lake.address, 'drafts.free-tool'), undefined)
  assert.equal((await documentAt(lake.address, 'drafts.code-tool'))?.title, 'Other')
})

test('a release cannot unpublish what others refer to', async (t) => {
  const {people, lake} = await runReviewLake(t)
  assertDone(await people.publisher.actions(release('create'), unpublish('free')))
  assertRefused(await people.publisher.actions(release('publish')), /references to it from .*free-tool/, 409)
  assertDone(await people.publisher.actions(discard('free'), unpublish('free-tool')))
  assertDone(await people.publisher.actions(release('publish')))
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
  assertDone(await people.publisher.actions(release('create'), site('one', 'same'), site('two', 'same')))
  assertRefused(await people.publisher.actions(release('publish')), /same/, 409)
  assertRefused(
    await people.publisher.actions(release('schedule', 'rSale', {publishAt: later(60_000)})),
    /same/,
    409,
  )
})

test('a release does not escape the review that it switches off', async (t) => {
  const {people} = await runReviewLake(t)
  const site = {_id: 'versions.rSale.all', _type: 'site', name: 'all', publicId: 'all-public', review: 'none'}
  const version = {actionType: 'sanity.action.document.version.create', publishedId: 'all', document: site}
  assertDone(
    await people.publisher.actions(release('create'), version, add('all-tool', 'all', {name: 'sale'})),
  )
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
  assertDone(await people.author.actions(release('create'), copy))
  const request = review('request')
  assertDone(await people.author.actions(request))
  assertRefused(await people.publisher.actions(release('publish')), /You wrote this change/)
  assertDone(await people.author.actions(release('archive'), release('unarchive'), request))
  assertRefused(await people.publisher.actions(release('publish')), /You wrote this change/)
  assertDone(await people.writer.actions(release('publish', 'rSale', await lookAt(lake))))
})

test('what a person scheduled is not published once they have lost the right, and the release says why', async (t) => {
  const {people, lake} = await runReviewLake(t)
  assertDone(
    await people.author.actions(
      release('create', 'rSale', {metadata}),
      add('free-tool', 'free', {name: 'sale'}),
    ),
  )
  assertDone(await people.publisher.actions(release('schedule', 'rSale', {publishAt: later(1_000)})))
  await accountsIn(lake.stateFolder).removeEditor('publisher@example.com')
  const failed = await eventually(
    () => documentAt(lake.address, '_.releases.rSale'),
    (document) => document?.error !== undefined,
  )
  assert.equal(failed?.state, 'active')
  assert.match(JSON.stringify(failed?.error), /may not publish tool/)
  const ready = await (await fetch(`${lake.address}/readyz`)).text()
  assert.match(ready, /RELEASE_FAILED.*A scheduled release was not published"/)
  assertDone(await people.writer.actions(release('publish')))
  assert.equal((await documentAt(lake.address, '_.releases.rSale'))?.error, undefined)
})

test('what a token scheduled is published, unless that token was replaced', async (t) => {
  let tokens = [token]
  const {people, lake, restart} = await runReviewLake(t, async () => ({
    get apiTokens() {
      return tokens
    },
  }))
  const schedule = async (name: string) => {
    assertDone(await people.program.actions(release('create', name), add('free-tool', 'free', {name}, name)))
    assertDone(await people.program.actions(release('schedule', name, {publishAt: later(1_000)})))
  }
  await schedule('rFirst')
  await eventually(
    () => documentAt(lake.address, 'free-tool'),
    (document) => document?.name === 'rFirst',
  )
  await schedule('rSecond')
  const {lake: restarted} = await restart(async () => {
    tokens = ['another-token']
  })
  const failed = await eventually(
    () => restarted.clientWith({token: 'another-token'}).getDocument('_.releases.rSecond'),
    (document) => document?.error !== undefined,
  )
  assert.match(JSON.stringify(failed?.error), /may not publish tool/)
})

test('a release that Git has already is published again without a commit, as after a restore', async (t) => {
  const {people, repository, lake} = await runReviewLake(t)
  assertDone(
    await people.author.actions(release('create'), add('free-tool', 'free', {name: 'sale', enabled: true})),
  )
  const version = await documentAt(lake.address, 'versions.rSale.free-tool')
  const {_rev, _createdAt, _updatedAt, ...content} = version ?? {}
  await repository.commit({'tool/free-tool.json': {...content, _id: 'free-tool'}})
  await eventually(
    () => documentAt(lake.address, 'free-tool'),
    (document) => document?.name === 'sale',
  )
  const head = await repository.git('rev-parse', 'HEAD')
  assertDone(await people.publisher.actions(release('publish')))
  assert.equal(await repository.git('rev-parse', 'HEAD'), head)
  assert.equal((await documentAt(lake.address, '_.releases.rSale'))?.state, 'published')
})
