import assert from 'node:assert/strict'
import {rm} from 'node:fs/promises'
import {test} from 'node:test'
import {readSnapshot} from '../../../../cli/diff/snapshot.ts'
import {readRevision} from '../../../../cli/source/gitFiles.ts'
import {eventually} from '../../../support/eventually.ts'
import {DRAFT, headOf, runBranchLake} from './branchLake.ts'
import {assertDone, toolOn} from './reviewLake.ts'

test('a request pushes the commit that publishing would make, and touches nothing else', async (t) => {
  const {request, review, repository, remote, people, noBranch} = await runBranchLake(t)
  const main = await headOf(repository, 'HEAD')
  await people.writer.edit('all-tool', {description: 'Finds'})
  const first = await request('find')
  assert.equal(await headOf(remote, `${first.commit}^`), main)
  assert.equal(await headOf(remote, 'main'), main)
  assert.equal(await headOf(repository, 'HEAD'), main)
  assert.match(
    await remote.git('log', '-1', '--format=%an%n%B', first.commit),
    /^author Name\nPublish tool find\n\nDocument: all-tool\nCo-authored-by: writer Name <writer@example\.com>\nReview: \S+\.\.\S+\n/,
  )
  const page = `https://github.com/handrail/content/compare/main...${first.branch}`
  // The revision that tests of the branch report.
  const source = await readRevision(remote.directory, first.commit, {inHook: false})
  const after = readSnapshot(source).get('all-tool')?._rev
  assert.deepEqual(await review(), {branch: first.branch, comparePage: page, after})

  const second = await request('seek')
  assert.equal(second.branch, first.branch)
  assert.equal(await headOf(remote, `${second.commit}^`), main)
  const comment = {actionType: 'handrail.action.review.sendBack', publishedId: 'all-tool', text: 'No'}
  await people.publisher.did(comment)
  await noBranch()
})

test('withdrawing, discarding and publishing delete the branch, and publishing makes the same tree', async (t) => {
  const {request, repository, remote, people, noBranch, draft} = await runBranchLake(t)
  await request('a')
  const withdraw = {actionType: 'handrail.action.review.withdraw', publishedId: 'all-tool'}
  await people.author.did(withdraw)
  await noBranch()
  await request('b')
  const discard = {actionType: 'sanity.action.document.discard', draftId: DRAFT}
  await people.author.did(discard)
  await noBranch()
  const {commit} = await request('c')
  const proposed = await headOf(remote, `${commit}^{tree}`)
  assertDone(await people.publisher.publish('all-tool', (await draft())?._rev))
  await noBranch()
  assert.equal(await headOf(repository, 'HEAD^{tree}'), proposed)
  await eventually(() => repository.git('for-each-ref', 'refs/handrail-proposals/'), '')
})

test('a merge at the host publishes the change and discards the draft, also if it is squashed', async (t) => {
  const {request, remote, clone, pull, lake, draft, review, noBranch, people} = await runBranchLake(t)
  const person = await clone()
  for (const merge of [
    ['merge', '--quiet', '--no-ff', '--no-edit'],
    ['merge', '--quiet', '--squash'],
  ]) {
    const name = `find${merge.length}`
    const {branch} = await request(name)
    // The branch of the content moves on before the merge.
    await person.git('pull', '--quiet', '--ff-only')
    await person.commit({'notes.txt': name})
    await person.git('fetch', '--quiet')
    await person.git(...merge, `origin/${branch}`)
    await person.git('commit', '--quiet', '--allow-empty', '--message', 'Merge a review')
    await person.git('push', '--quiet')
    await pull()
    await eventually(draft, (document) => document === undefined || document === null)
    assert.equal((await lake.client.getDocument('all-tool'))?.name, name)
    assert.equal(await review(), null)
    await noBranch()
    assert.equal(await headOf(remote, 'main'), await headOf(person, 'HEAD'))
  }

  // A draft that changed after the request is not discarded, and neither is one without a request.
  await people.author.edit('code-tool', {name: 'same'})
  const {branch} = await request('early')
  await people.author.edit('all-tool', {name: 'late'})
  await person.git('pull', '--quiet')
  await person.git('merge', '--quiet', `origin/${branch}`)
  await person.commit({'tool/code-tool.json': {_id: 'code-tool', ...toolOn('code', {name: 'same'})}})
  await person.git('push', '--quiet')
  await pull()
  await eventually(
    () => lake.client.getDocument('all-tool'),
    (document) => document?.name === 'early',
  )
  assert.equal((await draft())?.name, 'late')
  assert.equal((await lake.client.getDocument('code-tool'))?.name, 'same')
  assert.equal((await lake.client.getDocument('drafts.code-tool'))?.name, 'same')
})

test('a host that refuses the branch of a review is a problem, and the review names no branch', async (t) => {
  const {remote, review, people, lake, branches, request} = await runBranchLake(t)
  // Git keeps branches in folders.
  await remote.git('branch', 'review', 'main')
  const revision = await people.author.edit('all-tool', {name: 'find'})
  assertDone(await people.author.request('all-tool', revision))
  const readiness = async () => (await fetch(`${lake.address}/readyz`)).text()
  await eventually(readiness, /REVIEW_BRANCH_REFUSED/)
  const {after, ...link} = (await eventually(review, (found) => found?.branch === null)) ?? {}
  assert.deepEqual(link, {branch: null, comparePage: null})
  assert.notEqual(after, undefined)
  assert.match(lake.warnings.map(({reason}) => reason).join(), /remote rejected/)

  await remote.git('branch', '--move', 'review', 'reviewed')
  await request('seek')
  assert.equal((await branches()).length, 1)
  await eventually(readiness, (text) => !text.includes('REVIEW_BRANCH_REFUSED'))
})

test('commits that others added to a branch are kept, and an unreachable remote delays no request', async (t) => {
  const {request, remote, clone, lake, people, create, draft, restart} = await runBranchLake(t)
  const {branch} = await request('find')
  const person = await clone()
  await person.git('checkout', '--quiet', branch)
  const theirs = await person.commit({'notes.txt': 'Look here'})
  await person.git('push', '--quiet')
  const again = await people.author.edit('all-tool', {name: 'other'})
  assertDone(await people.author.request('all-tool', again))
  await eventually(
    () => lake.warnings.map(({msg}) => msg).join(),
    /review branch has commits of others; it stays as it is/,
  )
  assert.equal(await headOf(remote, branch), theirs)

  await rm(remote.directory, {recursive: true})
  const revision = await people.author.edit('code-tool', {executeJs: 'return 2'})
  assertDone(await people.author.request('code-tool', revision))
  await eventually(
    () => lake.warnings.map(({msg}) => msg).join(),
    /push of a review branch failed and will be retried/,
  )
  assert.notEqual(await draft(), undefined)
  // What could not be pushed is pushed after a restart.
  await lake.close()
  await create()
  await restart()
  await eventually(
    () => remote.git('for-each-ref', 'refs/heads/review/'),
    (listed) => listed.trim().split('\n').length === 2,
  )
})
