import assert from 'node:assert/strict'
import {test} from 'node:test'
import {eventually} from '../../support/eventually.ts'
import {documentAt} from '../support/mutate.ts'
import {headOf, runBranchLake} from '../write/reviews/branchLake.ts'
import {assertRefused, lookAt} from '../write/reviews/reviewLake.ts'
import {add, discard, edit, release, review, unpublish} from './releaseActions.ts'

const ID = '_.releases.rSale'
const metadata = {title: 'Review: spring', description: 'Everything for April.', releaseType: 'asap'}

/** A lake with branches, and with a release that changes a tool, adds one and unpublishes one. */
async function runReleaseLake(...[t]: Parameters<typeof runBranchLake>) {
  const running = await runBranchLake(t)
  const {lake, people, branches} = running
  const find = (id: string) => documentAt(lake.address, id)
  await people.author.did(
    release('create', 'rSale', {metadata}),
    add('all-tool', 'all', {name: 'sale'}),
    add('new-tool', 'free', {name: 'added'}),
    unpublish('free-tool'),
  )
  return {
    ...running,
    find,
    stateOf: async () => (await find(ID))?.state,
    versions: () =>
      lake.client.fetch<string[]>('*[sanity::partOfRelease("rSale")]._id', {}, {perspective: 'raw'}),
    /** Merges a branch as hosts do that squash. */
    async merge(branch: string) {
      const {git} = await running.clone()
      await git('merge', '--quiet', '--squash', `origin/${branch}`)
      await git('commit', '--quiet', '--message', 'Merge a release')
      await git('push', '--quiet')
      await running.pull()
    },
    /** Requests a review, and returns its branch and the commit. */
    async ask(before: readonly string[] = []) {
      await people.writer.did(review('request'))
      const [line = ''] = await eventually(branches, (now) => now.length === 1 && now[0] !== before[0])
      const [branch = '', commit = ''] = line.split(' ')
      return {branch, commit}
    },
  }
}

test('a request for the review of a release pushes the commit that publishing would make', async (t) => {
  const {ask, branches, remote, repository, lake, people, review: found, noBranch} = await runReleaseLake(t)
  const {branch, commit} = await ask()
  const main = await headOf(repository, 'HEAD')
  assert.equal(await headOf(remote, `${commit}^`), main)
  assert.match(
    await remote.git('log', '-1', '--format=%an%n%B', commit),
    /^writer Name\nReview: spring\n\n Everything for April\.\n\nDocument: all-tool\nDocument: free-tool\nDocument: new-tool\nCo-authored-by: author Name <author@example\.com>\nRelease: rSale\nReview: none\.\.\S+\n/,
  )
  const page = `https://github.com/handrail/content/compare/main...${branch}`
  assert.equal((await found(ID))?.comparePage, page)

  const before = await branches()
  await people.author.did(discard('new-tool'))
  const second = await ask(before)
  assert.equal(second.branch, branch)
  await assert.rejects(remote.git('cat-file', '-e', `${second.commit}:tool/new-tool.json`))
  const proposed = await headOf(remote, `${second.commit}^{tree}`)
  await people.author.did(review('withdraw'))
  await noBranch()
  await ask()
  await people.publisher.did(release('archive'))
  await noBranch()
  await people.publisher.did(release('unarchive'))
  await ask()
  await people.publisher.did(release('publish', 'rSale', await lookAt(lake)))
  await noBranch()
  assert.equal(await headOf(repository, 'HEAD^{tree}'), proposed)
})

test('a merge at the host ends the release as published', async (t) => {
  const {ask, find, merge, stateOf, versions, noBranch, people, repository, remote} = await runReleaseLake(t)
  await people.writer.edit('all-tool', {name: 'sale'})
  const {branch} = await ask()
  await merge(branch)
  await eventually(stateOf, (state) => state === 'published')
  assert.deepEqual(await versions(), [])
  await noBranch()
  assert.equal((await find('all-tool'))?.name, 'sale')
  assert.equal(await find('drafts.all-tool'), undefined)
  assert.equal((await find('new-tool'))?.name, 'added')
  assert.equal(await find('free-tool'), undefined)
  const {_system, name} = (await find('drafts.free-tool')) ?? {}
  assert.deepEqual([name, _system], ['search', undefined])
  assert.equal(await headOf(repository, 'HEAD'), await headOf(remote, 'main'))
  assert.equal(await repository.git('log', '-1', '--format=%s'), 'Merge a release\n')
})

test('what changed after the request stays in the release when the branch is merged', async (t) => {
  const {ask, merge, find, stateOf, versions, lake, people} = await runReleaseLake(t)
  const {branch} = await ask()
  const seen = await lookAt(lake)
  await people.author.did(edit('all-tool', 'rSale', {name: 'late'}))
  const approval = await people.publisher.actions(release('publish', 'rSale', seen))
  assertRefused(approval, /changed since/, 409)
  await merge(branch)
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
  assert.equal((await documentAt(next.address, ID))?.state, 'published')
  assert.equal(await headOf(repository, 'HEAD'), commit)
  await eventually(() => remote.git('branch', '--list', branch), '')
})
