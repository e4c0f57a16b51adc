import assert from 'node:assert/strict'
import {test} from 'node:test'
import {accountsIn} from '../../support/signIn.ts'
import {assertDone, assertRefused, lookAt, pair, runReviewLake} from './reviewLake.ts'

const ACTION = 'sanity.action.document.'
const REVIEW = 'handrail.action.review.'

test('where tests must pass, a change is published once they passed on its revision', async (t) => {
  const {people, lake} = await runReviewLake(t)
  const {author, publisher, administrator} = people
  const reporter = await accountsIn(lake.stateFolder).tokens.add('CI', [{role: 'reporter', sites: ['tests']}])
  const review = () =>
    lake.client.fetch<{after: string}>(
      '*[_type == "handrail.review"][0]{"after": coalesce(changes[0].after, after)}',
      {},
      {perspective: 'raw'},
    )
  const report = async (revision: string, failed: number) => {
    const problem = failed === 0 ? '' : 'GET /api/products returned 404.'
    const tool = {id: 'tests-tool', name: 'find', revision, passed: 2 - failed, failed, problem}
    const {status} = await fetch(`${lake.address}/v1/tests/tests`, {
      method: 'PUT',
      headers: {authorization: `Bearer ${reporter}`, 'content-type': 'application/json'},
      body: JSON.stringify({commit: 'abc1234', tools: [tool]}),
    })
    assert.equal(status, 204)
  }
  const first = await author.edit('tests-tool', {name: 'find'})
  assertRefused(await publisher.publish('tests-tool', first), /choose “Request review”/)
  assertDone(await author.request('tests-tool', first))
  const untested = await publisher.publish('tests-tool', first)
  assertRefused(untested, /testsRequiredError/, 409)
  assert.match(
    untested.text,
    /before tool “find” is published: they have not run on this revision\. For CI to/,
  )
  const {after} = await review()
  await report(after, 1)
  assertRefused(
    await publisher.publish('tests-tool', first),
    /1 of 2 failed: GET \/api\/products returned 404\. /,
    409,
  )
  await report(after, 0)
  // Another revision needs tests of its own.
  const second = await author.edit('tests-tool', {name: 'seek'})
  assertDone(await author.request('tests-tool', second))
  await report(after, 0)
  assertRefused(await publisher.publish('tests-tool', second), /have not run on this revision/, 409)
  await report((await review()).after, 0)
  assertDone(await publisher.publish('tests-tool', second))

  // Neither switching off nor an emergency needs tests.
  assertDone(await publisher.mutate({patch: {id: 'tests-tool', set: {enabled: false}}}))
  const on = await author.edit('tests-tool', {enabled: true})
  const publish = {actionType: `${ACTION}publish`, ...pair('tests-tool'), ifDraftRevisionId: on}
  await administrator.did({actionType: `${REVIEW}skip`, reason: 'The shop is down'}, publish)

  // A release needs those of its tools.
  const versionId = 'versions.rSale.tests-tool'
  const copy = {publishedId: 'tests-tool', baseId: 'tests-tool', versionId}
  const release = (verb: string) => ({actionType: `sanity.action.release.${verb}`, releaseId: 'rSale'})
  await author.did(release('create'), {actionType: `${ACTION}version.create`, ...copy})
  assertDone(await author.mutate({patch: {id: versionId, set: {name: 'sale'}}}))
  const request = {actionType: `${REVIEW}request`, publishedId: '_.releases.rSale'}
  await author.did(request)
  const approval = {...release('publish'), ...(await lookAt(lake))}
  await report((await review()).after, 1)
  assertRefused(await publisher.actions(approval), /1 of 2 failed/, 409)
  await report((await review()).after, 0)
  await publisher.did(approval)
})
