import assert from 'node:assert/strict'
import {test} from 'node:test'
import {eventually} from '../../support/eventually.ts'
import {documentAt} from '../support/mutate.ts'
import {headOf, runBranchLake} from '../write/reviews/branchLake.ts'
import {assertDone, toolOn} from '../write/reviews/reviewLake.ts'

const RELEASE = {releaseId: 'rSale'}
const OF_RELEASE = {publishedId: '_.releases.rSale'}
const release = (verb: string, others: object = {}) => ({
  actionType: `sanity.action.release.${verb}`,
  ...RELEASE,
  ...others,
})
const version = (verb: string, id: string, others: object = {}) => ({
  actionType: `sanity.action.document.version.${verb}`,
  publishedId: id,
  versionId: `versions.rSale.${id}`,
  ...others,
})
const add = (id: string, site: string, fields: object) =>
  version('create', id, {document: {_id: `versions.rSale.${id}`, ...toolOn(site, fields)}})
const request = {actionType: 'handrail.action.review.request', ...OF_RELEASE, text: 'Please'}
const metadata = {title: 'Review: spring', description: 'Everything for April.', releaseType: 'asap'}

/** A lake with branches, and with a release that changes a tool, adds one and unpublishes one. */
async function runReleaseLake(...[t]: Parameters<typeof runBranchLake>) {
  const running = await runBranchLake(t)
  const {lake, people, branches} = running
  const find = (id: string) => documentAt(lake.address, id)
  assertDone(
    await people.author.actions(
      release('create', {metadata}),
      add('all-tool', 'all', {name: 'sale'}),
      add('new-tool', 'free', {name: 'added'}),
      version('unpublish', 'free-tool'),
    ),
  )
  return {
    ...running,
    find,
    stateOf: async () => (await find(OF_RELEASE.publishedId))?.state,
    versions: () =>
      lake.client.fetch<string[]>('*[sanity::partOfRelease("rSale")]._id', {}, {perspective: 'raw'}),
    /** Requests a review, and returns its branch and the commit. */
    async ask(before: readonly string[] = []) {
      assertDone(await people.writer.actions(request))
      const [line = ''] = await eventually(branches, (now) => now.length === 1 && now[0] !== before[0])
      const [branch = '', commit = ''] = line.split(' ')
      return {branch, commit}
    },
  }
}

test('a request for the review of a release pushes the commit that publishing would make', async (t) => {
  const {ask, branches, remote, repository, people, review, noBranch} = await runReleaseLake(t)
  const {branch, commit} = await ask()
  const main = await headOf(repository, 'HEAD')
  assert.equal(await headOf(remote, `${commit}^`), main)
  assert.match(
    await remote.git('log', '-1', '--format=%an%n%B', commit),
    /^writer Name\nReview: spring\n\n Everything for April\.\n\nDocument: all-tool\nDocument: free-tool\nDocument: new-tool\nCo-authored-by: author Name <author@example\.com>\nRelease: rSale\nReview: none\.\.\S+\n/,
  )
  const page = `https://github.com/handrail/content/compare/main...${branch}`
  assert.equal((await review(OF_RELEASE.publishedId))?.comparePage, page)

  const before = await branches()
  assertDone(await people.author.actions(version('discard', 'new-tool')))
  const second = await ask(before)
  assert.equal(second.branch, branch)
  await assert.rejects(remote.git('cat-file', '-e', `${second.commit}:tool/new-tool.json`))
  const proposed = await headOf(remote, `${second.commit}^{tree}`)
  assertDone(await people.author.actions({...request, actionType: 'handrail.action.review.withdraw'}))
  await noBranch()
  await ask()
  assertDone(await people.publisher.actions(release('archive')))
  await noBranch()
  assertDone(await people.publisher.actions(release('unarchive')))
  await ask()
  assertDone(await people.publisher.actions(release('publish')))
  await noBranch()
  assert.equal(await headOf(repository, 'HEAD^{tree}'), proposed)
})

for (const isScheduled of [false, true])
  test(`a merge at the host ends a release that is ${isScheduled ? 'scheduled' : 'active'} as published`, async (t) => {
    const {ask, clone, pull, find, stateOf, versions, review, noBranch, people, repository} =
      await runReleaseLake(t)
    await people.writer.edit('all-tool', {name: 'sale'})
    const {branch} = await ask()
    const publishAt = new Date(Date.now() + 60_000).toISOString()
    if (isScheduled) assertDone(await people.publisher.actions(release('schedule', {publishAt})))
    const person = await clone()
    await person.git('merge', '--quiet', '--squash', `origin/${branch}`)
    await person.git('commit', '--quiet', '--message', 'Merge a release')
    await person.git('push', '--quiet')
    await pull()
    await eventually(stateOf, (state) => state === 'published')
    assert.deepEqual(await versions(), [])
    assert.equal(await review(OF_RELEASE.publishedId), null)
    await noBranch()
    assert.equal((await find('all-tool'))?.name, 'sale')
    assert.equal(await find('drafts.all-tool'), undefined)
    assert.equal((await find('new-tool'))?.name, 'added')
    assert.equal(await find('free-tool'), undefined)
    const {_system, ...unpublished} = (await find('drafts.free-tool')) ?? {}
    assert.deepEqual([unpublished.name, _system], ['search', undefined])
    assert.equal(await headOf(repository, 'HEAD'), await headOf(person, 'HEAD'))
  })

test('what changed after the request stays in the release when the branch is merged', async (t) => {
  const {ask, clone, pull, find, stateOf, versions, people} = await runReleaseLake(t)
  const {branch} = await ask()
  assertDone(await people.author.mutate({patch: {id: 'versions.rSale.all-tool', set: {name: 'late'}}}))
  const person = await clone()
  await person.git('merge', '--quiet', '--no-edit', `origin/${branch}`)
  await person.git('push', '--quiet')
  await pull()
  await eventually(versions, (ids) => ids.length === 1)
  assert.equal(await stateOf(), 'active')
  assert.equal((await find('versions.rSale.all-tool'))?.name, 'late')
  assert.equal((await find('all-tool'))?.name, 'sale')
})

test('a merge is found at the start, as after a restore of an earlier backup', async (t) => {
  const {ask, restart, lake, repository, remote} = await runReleaseLake(t)
  const {branch, commit} = await ask()
  await lake.close()
  for (const {git} of [repository, remote]) await git('update-ref', 'refs/heads/main', commit)
  const {lake: next} = await restart()
  assert.equal((await documentAt(next.address, OF_RELEASE.publishedId))?.state, 'published')
  assert.equal(await headOf(repository, 'HEAD'), commit)
  await eventually(() => remote.git('branch', '--list', branch), '')
})
