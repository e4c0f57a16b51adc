import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import type {Rights} from '../../../../lake/access/rights/rights.ts'
import {changeState} from '../../../content/state/changeState.ts'
import {add, discard, release, unpublish} from '../../releases/releaseActions.ts'
import type {RunningLake} from '../../support/lake.ts'
import {accountsIn, auditTextIn, signInByLink} from '../../support/signIn.ts'
import {assertDone, assertRefused, lookAt, pair, person, runReviewLake, toolOn} from './reviewLake.ts'

const ACTION = 'sanity.action.document.'
const REVIEW = 'handrail.action.review.'

const reviewsIn = (lake: RunningLake) =>
  lake.client.fetch<{document: string; state: string; comments: {text: string; by: {name: string}}[]}[]>(
    '*[_type == "handrail.review" && _id in path("drafts.**")] | order(document)',
    {},
    {perspective: 'raw'},
  )

/** The action that publishes a draft as its review names it. */
const approval = async (lake: RunningLake, id: string) => ({
  actionType: `${ACTION}publish`,
  ...pair(id),
  ...(await lookAt(lake, id)),
})

test('a reviewed change is published by another person, and the commit names both', async (t) => {
  const {lake, people, repository} = await runReviewLake(t)
  const {author, publisher} = people
  const revision = await author.edit('all-tool', {name: 'find'})
  assertRefused(await publisher.publish('all-tool', revision), /choose “Request review”/)
  assertDone(await author.request('all-tool', revision))
  assertRefused(await publisher.publish('all-tool'), /Look at the review of tool “find” first/, 409)
  assertDone(await publisher.publish('all-tool', revision))

  assert.equal((await lake.client.getDocument('all-tool'))?.name, 'find')
  assert.deepEqual(await reviewsIn(lake), [])
  const message = await repository.git('log', '-1', '--format=%an%n%B')
  assert.match(message, /^publisher Name\nPublish tool find\n/)
  assert.match(
    message,
    /\nCo-authored-by: author Name <author@example\.com>\nReviewed-by: publisher Name <publisher@example\.com>\n/,
  )
  const activity = await lake.client.request({url: '/data/history/production/activity?limit=1'})
  assert.deepEqual(
    [activity.changes[0].writers, activity.changes[0].reviewer],
    ['author Name', 'publisher Name'],
  )
  await lake.close()
  const audit = auditTextIn(lake.stateFolder).split('\n')
  for (const type of ['review.requested', 'review.approved'])
    assert.equal(audit.filter((line) => line.includes(`"${type}"`)).length, 1, type)
})

test('where no review is needed, an author asks to publish, and the commit names both', async (t) => {
  const {people, lake, repository} = await runReviewLake(t)
  const {author, writer, publisher} = people
  const lastCommit = () => repository.git('log', '-1', '--format=%an%n%B')
  const revision = await author.edit('free-tool', {name: 'find'})
  assertRefused(await author.publish('free-tool', revision), /You may not publish/)
  assertDone(await author.request('free-tool', revision))
  assertDone(await publisher.publish('free-tool', revision))
  assert.deepEqual(await reviewsIn(lake), [])
  assert.match(
    await lastCommit(),
    /^publisher Name\n[\s\S]*\nCo-authored-by: author Name <author@example\.com>\nReviewed-by: publisher Name /,
  )
  // A person who may publish needs no one else, and reviews nothing then.
  const own = await writer.edit('free-tool', {name: 'seek'})
  assertDone(await writer.request('free-tool', own))
  assertDone(await writer.publish('free-tool', own))
  assert.doesNotMatch(await lastCommit(), /Reviewed-by/)
})

test('a person cannot approve what they wrote or requested, and a program cannot approve', async (t) => {
  const {people} = await runReviewLake(t)
  const {author, writer, publisher, program} = people
  await writer.edit('all-tool', {name: 'find'})
  const revision = await author.edit('all-tool', {description: 'more'})
  assertDone(await author.request('all-tool', revision))
  assertRefused(await author.publish('all-tool', revision), /insufficientPermissionsError/)
  assertRefused(await writer.publish('all-tool', revision), /You wrote this change/)
  assertRefused(await program.publish('all-tool', revision), /a program cannot do/)
  assertDone(await publisher.request('all-tool', revision))
  assertRefused(await publisher.publish('all-tool', revision), /requested its review/)
})

test('a change of the draft or of the published document in between makes the approval fail', async (t) => {
  const {people, repository, lake} = await runReviewLake(t)
  const {author, publisher} = people
  const first = await author.edit('all-tool', {name: 'find'})
  assertDone(await author.request('all-tool', first))
  const second = await author.edit('all-tool', {executeJs: 'steal()'})
  assertRefused(await publisher.publish('all-tool', first), /unexpected revision/, 409)
  assertRefused(await publisher.publish('all-tool', second), /changed since/, 409)
  const within = {actionType: `${ACTION}edit`, ...pair('all-tool'), patch: {set: {name: 'other'}}}
  const publish = {actionType: `${ACTION}publish`, ...pair('all-tool'), ifDraftRevisionId: second}
  assertRefused(await publisher.actions(within, publish), /unexpected revision/, 409)
  assertRefused(
    await publisher.mutate({createOrReplace: {...toolOn('all'), _id: 'all-tool', executeJs: 'steal()'}}),
    /changed since/,
    409,
  )
  assertRefused(await author.request('all-tool', first), /unexpected revision/, 409)
  assertDone(await author.request('all-tool', second))
  await repository.commit({'tool/all-tool.json': {_id: 'all-tool', ...toolOn('all', {name: 'byGit'})}}, 2_000)
  assertRefused(await publisher.publish('all-tool', second), /published again|changed since/, 409)
  assert.equal((await lake.client.getDocument('all-tool'))?.name, 'byGit')
})

test('a revision that is used again for other content is not approved', async (t) => {
  const {people, repository, restart} = await runReviewLake(t)
  const edit = (set: object) => ({
    actions: [{actionType: `${ACTION}edit`, ...pair('all-tool'), patch: {set}}],
    transactionId: 'chosen',
  })
  assertDone(await people.author.send('actions', edit({name: 'find'})))
  assertDone(await people.author.request('all-tool', 'chosen'))
  // After a thousand other steps, the lake does not know the ID any more.
  changeState(repository, (state) => state.run('DELETE FROM draft_step'))
  const {people: later, lake} = await restart()
  const seen = await approval(lake, 'all-tool')
  assertDone(await later.author.send('actions', edit({executeJs: 'steal()'})))
  assertRefused(await later.publisher.publish('all-tool', 'chosen'), /changed since/, 409)
  // Also if the request that the reviewer looked at was replaced by one for the other content.
  assertDone(await later.author.request('all-tool', 'chosen'))
  assertRefused(await later.publisher.actions(seen), /changed since/, 409)
  assert.equal((await lake.client.getDocument('all-tool'))?.executeJs, 'return 1')
})

test('every other way to change a protected document is refused', async (t) => {
  const {people, lake} = await runReviewLake(t)
  const {publisher, administrator} = people
  const before = await lake.client.fetch('*[_id in ["all", "all-tool", "code", "code-tool"]]{_id, _rev}')
  const ways: object[][] = [
    [{patch: {id: 'all-tool', set: {name: 'x'}}}],
    [{patch: {query: '*[_type == "tool"]', set: {executeJs: 'steal()'}}}],
    [{createOrReplace: {...toolOn('all'), _id: 'all-tool', name: 'x'}}],
    [{create: {...toolOn('all'), name: 'new'}}],
    [{delete: {id: 'all-tool'}}],
    [{delete: {query: '*[_type == "tool"]'}}],
    // Leaving the site, coming to the site, and switching the review off first.
    [{patch: {id: 'all-tool', set: {'site._ref': 'free'}}}],
    [{patch: {id: 'free-tool', set: {'site._ref': 'all'}}}],
    [{patch: {id: 'all', set: {review: 'none'}}}],
    [{patch: {id: 'all', set: {review: 'none'}}}, {patch: {id: 'all-tool', set: {name: 'x'}}}],
    [{delete: {id: 'all-tool'}}, {create: {...toolOn('free'), _id: 'all-tool'}}],
    [{patch: {id: 'code', unset: ['review']}}],
    [{patch: {id: 'code-tool', set: {executeJs: 'steal()'}}}],
    [{patch: {id: 'code-tool', set: {pathPattern: '/cart'}}}],
    [{patch: {id: 'free-tool', set: {name: 'x'}}}, {patch: {id: 'all-tool', set: {name: 'x'}}}],
  ]
  for (const mutations of ways) {
    for (const person of [publisher, administrator])
      assertRefused(await person.mutate(...mutations), /reviewRequiredError/)
  }
  for (const kind of ['unpublish', 'delete'])
    assertRefused(
      await publisher.actions({actionType: `${ACTION}${kind}`, ...pair('all-tool')}),
      /reviewRequiredError/,
    )
  assert.deepEqual(
    await lake.client.fetch('*[_id in ["all", "all-tool", "code", "code-tool"]]{_id, _rev}'),
    before,
  )
  assertDone(await publisher.mutate({patch: {id: 'free-tool', set: {executeJs: 'return 2'}}}))
  assertDone(await publisher.mutate({patch: {id: 'code-tool', set: {title: 'Other'}}}))
  assertDone(await publisher.mutate({patch: {id: 'code', set: {enabled: false}}}))
})

test('switching off needs no review, and nothing else comes with it', async (t) => {
  const {people, lake} = await runReviewLake(t)
  const {author, publisher} = people
  const off = (id: string) => ({patch: {id, set: {enabled: false}}})
  assertRefused(await author.mutate(off('all')), /insufficientPermissionsError/)
  assertRefused(
    await publisher.mutate(off('all'), {patch: {id: 'all-tool', set: {name: 'x'}}}),
    /reviewRequired/,
  )
  assertRefused(
    await publisher.mutate({patch: {id: 'all', set: {enabled: false, name: 'x'}}}),
    /reviewRequired/,
  )
  assertDone(await publisher.mutate(off('all')))
  assert.equal((await lake.client.getDocument('all'))?.enabled, false)
  for (const on of [{set: {enabled: true}}, {unset: ['enabled']}])
    assertRefused(await publisher.mutate({patch: {id: 'all', ...on}}), /reviewRequired/)

  // Also by publishing a draft: the one who wrote it may.
  const revision = await publisher.edit('code', {enabled: false})
  assertDone(await publisher.publish('code', revision))
  await lake.close()
  const audit = auditTextIn(lake.stateFolder).trim().split('\n')
  const events = audit.map((line) => JSON.parse(line)).filter(({type}) => type === 'publish.switchedOff')
  assert.deepEqual(
    events.map(({by, documents}) => [by.name, documents[0].name]),
    [
      ['publisher Name', 'all'],
      ['publisher Name', 'code'],
    ],
  )
})

test('a site with the public ID of a protected one is refused, by every way to publish it', async (t) => {
  const {people, lake} = await runReviewLake(t)
  const {publisher, administrator, program} = people
  const publicId = 'all-public'
  const site = {_type: 'site', name: 'evil', publicId, _createdAt: '2001-01-01T00:00:00Z'}
  const ways: object[][] = [
    [{create: {...site, _id: 'evil'}}],
    [{createIfNotExists: {...site, _id: 'evil'}}],
    [{createOrReplace: {...site, _id: 'free'}}],
    [{patch: {id: 'free', set: {publicId}}}],
    [{patch: {query: '*[_id == "free"]', set: {publicId}}}],
    [{create: {...site, _id: 'evil'}}, {create: {...toolOn('evil'), _id: 'evil-tool'}}],
  ]
  for (const mutations of ways)
    for (const person of [publisher, administrator, program])
      assertRefused(
        await person.mutate(...mutations),
        /valueTakenError.*belongs to another site, \\"all\\"/,
        409,
      )
  for (const id of ['free', 'evil']) {
    assertDone(await publisher.mutate({createOrReplace: {...site, _id: `drafts.${id}`}}))
    assertRefused(await publisher.publish(id), /valueTakenError/, 409)
  }
  const query = '*[_type == "site" && publicId == $publicId]._id'
  assert.deepEqual(await lake.client.fetch(query, {publicId}), ['all'])
  assertDone(await publisher.mutate({create: {...site, _id: 'other', publicId: 'other-public'}}))
})

test('a tool with the name of another one of its site is refused, by every way to publish it', async (t) => {
  const {people} = await runReviewLake(t)
  const {publisher} = people
  const taken = /valueTakenError.*The name \\"search\\" belongs to another tool of this site, \\"free-tool\\"/
  const second = {...toolOn('free'), _id: 'second'}
  assertRefused(await publisher.mutate({create: second}), taken, 409)
  assertDone(await publisher.mutate({create: {...second, _id: 'drafts.second', _type: 'formTool'}}))
  assertRefused(await publisher.publish('second'), taken, 409)
  await publisher.did(release('create'), add('third', 'free'))
  assertRefused(await publisher.actions(release('publish')), taken, 409)
  // Two that a release adds are compared with each other, after all of its changes.
  await publisher.did(add('fourth', 'free'), unpublish('free-tool'))
  assertRefused(await publisher.actions(release('publish')), /belongs to another tool of this site/, 409)
  await publisher.did(discard('fourth'), release('publish'))
})

test('unpublishing, deleting and switching the review off are done with a review', async (t) => {
  const {people, lake} = await runReviewLake(t)
  const {author, publisher} = people
  const ask = (action: string, publishedId: string) =>
    author.actions({actionType: `${REVIEW}request`, publishedId, action})
  assertDone(await ask('unpublish', 'all-tool'))
  await publisher.did({actionType: `${ACTION}unpublish`, ...pair('all-tool')})
  assert.equal(await lake.client.getDocument('all-tool'), undefined)
  // A draft that has not changed since may be published by the one who unpublished it.
  const [{_rev: revision = ''} = {}] = await lake.client.fetch<{_rev: string}[]>(
    '*[_id == "drafts.all-tool"]',
    {},
    {perspective: 'raw'},
  )
  assertDone(await author.request('all-tool', revision))
  assertDone(await publisher.publish('all-tool', revision))
  assertDone(await ask('delete', 'all-tool'))
  await publisher.did({actionType: `${ACTION}delete`, publishedId: 'all-tool'})

  const off = await author.edit('all', {review: 'none'})
  assertDone(await author.request('all', off))
  assertDone(await publisher.publish('all', off))
  assertDone(await publisher.mutate({patch: {id: 'all', set: {name: 'free now'}}}))
  assert.deepEqual(await reviewsIn(lake), [])
})

test('a transaction over several documents needs a review of each', async (t) => {
  const {lake, people, repository} = await runReviewLake(t)
  const {author, publisher} = people
  const code = await author.edit('code-tool', {executeJs: 'return 2'})
  const all = await author.edit('all-tool', {name: 'find'})
  assertDone(await author.request('code-tool', code))
  const both = () => Promise.all(['code-tool', 'all-tool'].map((id) => approval(lake, id)))
  const refused = await publisher.actions(...(await both()))
  assertRefused(refused, /tool “find”/)
  assertDone(await author.request('all-tool', all))
  await publisher.did(...(await both()))
  const message = await repository.git('log', '-1', '--format=%B')
  assert.equal(message.match(/Co-authored-by/g)?.length, 1)
})

test('an administrator publishes in an emergency, with a reason that the commit and activity show', async (t) => {
  const {people, lake, repository} = await runReviewLake(t)
  const {publisher, administrator} = people
  const revision = await administrator.edit('all-tool', {name: 'find'})
  const publish = {actionType: `${ACTION}publish`, ...pair('all-tool'), ifDraftRevisionId: revision}
  const skip = (reason: string) => ({actionType: `${REVIEW}skip`, reason})
  assertRefused(
    await publisher.actions(skip('now'), publish),
    /Only an administrator may publish without a review/,
  )
  assertRefused(await administrator.actions(publish), /reviewRequiredError/)
  assertRefused(await administrator.actions(skip('  '), publish), /Say why there is no time/, 400)
  await administrator.did(skip('The shop\nis down'), publish)
  assert.match(
    await repository.git('log', '-1', '--format=%B'),
    /\nPublished-without-review: The shop is down\n/,
  )
  const activity = await lake.client.request({url: '/data/history/production/activity?limit=1'})
  assert.equal(activity.changes[0].skippedReview, 'The shop is down')
  await lake.close()
  assert.match(auditTextIn(lake.stateFolder), /"publish\.emergency".*The shop is down/)
})

test('no review of a site is skipped by moving a tool to or from another site that one administers', async (t) => {
  const {people, lake} = await runReviewLake(t)
  const email = 'both@example.com'
  const rights: Rights = [
    {role: 'publisher', sites: ['all']},
    {role: 'administrator', sites: ['free']},
  ]
  const {id} = await accountsIn(lake.stateFolder).addEditor({name: 'Both', email, rights})
  const address = lake.address.replace('127.0.0.1', 'localhost')
  const cookie = await signInByLink({address, stateFolder: lake.stateFolder}, id)
  const both = person(address, {cookie, origin: address})
  for (const [tool, site] of [
    ['all-tool', 'free'],
    ['free-tool', 'all'],
  ] as const) {
    assertDone(await people.author.mutate({create: {...toolOn(site), _id: `drafts.${tool}`}}))
    const publish = {actionType: `${ACTION}publish`, ...pair(tool)}
    const skip = {actionType: `${REVIEW}skip`, reason: 'It is urgent'}
    assertRefused(await both.actions(skip, publish), /Only an administrator may publish without a review/)
  }
})

test('a review is commented, sent back, requested again, and survives a restart outside of Git', async (t) => {
  const {people, restart, repository} = await runReviewLake(t)
  const revision = await people.author.edit('all-tool', {name: 'find'})
  assertDone(await people.author.request('all-tool', revision))
  const comment = {actionType: `${REVIEW}comment`, publishedId: 'all-tool', text: 'Why?'}
  await people.publisher.did(comment)
  const sendBack = {actionType: `${REVIEW}sendBack`, publishedId: 'all-tool', text: 'Not like this'}
  assertRefused(await people.author.actions(sendBack), /You may not send back/)
  await people.publisher.did(sendBack)
  assertRefused(await people.publisher.publish('all-tool', revision), /was sent back/)

  const {people: later, lake} = await restart()
  const [review, ...others] = await reviewsIn(lake)
  assert.deepEqual([review?.state, others], ['sentBack', []])
  assert.deepEqual(
    review?.comments.map(({by, text}) => [by.name, text]),
    [
      ['author Name', 'Please'],
      ['publisher Name', 'Why?'],
      ['publisher Name', 'Not like this'],
    ],
  )
  assertDone(await later.author.request('all-tool', revision))
  assertRefused(await later.author.publish('all-tool', revision), /insufficientPermissionsError/)
  assertDone(await later.publisher.publish('all-tool', revision))
  assert.equal((await repository.git('log', '--all', '--name-only')).includes('review'), false)
})

test('clients cannot change the documents of reviews, and those without a purpose are removed', async (t) => {
  const {people, lake} = await runReviewLake(t)
  const {author, publisher, administrator} = people
  const revision = await author.edit('all-tool', {name: 'find'})
  assertDone(await author.request('all-tool', revision))
  const [{_id: id = ''} = {}] = await lake.client.fetch<{_id: string}[]>(
    '*[_type == "handrail.review"]',
    {},
    {perspective: 'raw'},
  )
  for (const mutation of [
    {patch: {id, set: {state: 'open', after: 'x'}}},
    {delete: {id}},
    {create: {_id: 'drafts.handrail.review.mine', _type: 'handrail.review'}},
  ])
    assertRefused(await administrator.mutate(mutation), /its own actions/)
  const published = id.replace('drafts.', '')
  assertRefused(
    await administrator.actions({actionType: `${ACTION}publish`, draftId: id, publishedId: published}),
    /its own actions/,
  )
  await publisher.did({actionType: `${ACTION}discard`, draftId: 'drafts.all-tool'})
  assert.deepEqual(await reviewsIn(lake), [])
})

test('an imported draft is not approved: its author is not known', async (t: TestContext) => {
  const {people, repository, lake, restart} = await runReviewLake(t)
  const revision = await people.author.edit('all-tool', {name: 'find'})
  assertDone(await people.author.request('all-tool', revision))
  await lake.close()
  changeState(repository, (state) => state.run('UPDATE draft SET editors = NULL'))
  const {people: later} = await restart()
  assertRefused(await later.publisher.publish('all-tool', revision), /because it was imported/)
})
