import assert from 'node:assert/strict'
import {rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import type {SanityClient} from '@sanity/client'
import {eventually} from '../../support/eventually.ts'
import type {TestRepository} from '../support/git.ts'
import {runLake} from '../support/lake.ts'

const page = (title: string) => ({_id: 'a', _type: 'page', title})

/** A lake whose repository has two commits, and an unpublished draft. */
async function lakeWithDraft(t: TestContext) {
  const lake = await runLake(t, {'page/a.json': page('first')})
  await lake.repository.commit({'page/a.json': page('second')}, 2_000)
  await eventually(
    () => lake.client.getDocument('a'),
    (found) => found?.title === 'second',
  )
  await lake.client.create({_id: 'drafts.b', _type: 'page', title: 'a draft'})
  return lake
}

const publish = (client: SanityClient) =>
  client.action({actionType: 'sanity.action.document.publish', draftId: 'drafts.b', publishedId: 'b'})

const branchHas = async ({git}: TestRepository, path: string) =>
  (await git('ls-tree', '-r', '--name-only', 'main')).split('\n').includes(path)

async function isRefused(client: SanityClient, message: RegExp): Promise<void> {
  await assert.rejects(publish(client), (error: unknown) => {
    assert.ok(error instanceof Error && 'statusCode' in error)
    assert.equal(error.statusCode, 503)
    assert.match(error.message, message)
    return true
  })
  assert.ok(await client.getDocument('drafts.b'))
}

test('publishing fails on a detached HEAD; the draft stays and can be published on the branch later', async (t) => {
  const {repository, client} = await lakeWithDraft(t)
  await repository.git('checkout', '--quiet', 'HEAD~1')
  // The lake serves the checked-out commit, as it does with a branch.
  await eventually(
    () => client.getDocument('a'),
    (found) => found?.title === 'first',
  )
  const words =
    /Publishing is paused: the content repository has a commit checked out instead of branch main\. Ask a developer to run: git checkout main$/
  await isRefused(client, words)
  assert.equal((await repository.git('reflog', '--grep-reflog=handrail')).trim(), '')
  // Drafts are not stored in Git.
  await client.patch('drafts.b').set({title: 'changed'}).commit()
  await repository.git('checkout', '--quiet', 'main')
  await publish(client)
  assert.ok(await branchHas(repository, 'page/b.json'))
  assert.equal((await client.getDocument('b'))?.title, 'changed')
})

test('publishing fails during a rebase, and aborting the rebase loses nothing', async (t) => {
  const {repository, client} = await lakeWithDraft(t)
  await repository.git('checkout', '--quiet', '-b', 'side', 'HEAD~1')
  await repository.commit({'page/a.json': page('contradiction')}, 3_000)
  await assert.rejects(repository.git('rebase', 'main'), /conflict/i)
  await isRefused(client, /a rebase is in progress.*git rebase --continue, or git rebase --abort$/)
  await repository.git('rebase', '--abort')
  await publish(client)
  assert.ok((await repository.git('ls-tree', '-r', '--name-only', 'side')).includes('page/b.json'))
})

test('publishing fails while a bisect has a commit checked out', async (t) => {
  const {repository, client} = await lakeWithDraft(t)
  await repository.commit({'page/a.json': page('third')}, 3_000)
  await repository.git('bisect', 'start', 'HEAD', 'HEAD~2')
  await isRefused(client, /a bisect is in progress.*git bisect reset$/)
  await repository.git('bisect', 'reset')
  await publish(client)
  assert.ok(await branchHas(repository, 'page/b.json'))
})

test('publishing works during a merge', async (t) => {
  const {repository, client} = await lakeWithDraft(t)
  await repository.git('checkout', '--quiet', '-b', 'side', 'HEAD~1')
  await repository.commit({'page/a.json': page('contradiction')}, 3_000)
  await repository.git('checkout', '--quiet', 'main')
  await assert.rejects(repository.git('merge', 'side'), /conflict|Command failed/i)
  await publish(client)
  assert.ok(await branchHas(repository, 'page/b.json'))
})

test('the editor’s error names the lock of a killed Git command without an absolute path', async (t) => {
  const {repository, client} = await lakeWithDraft(t)
  for (const name of ['HEAD.lock', 'refs/heads/main.lock']) {
    const lock = join(repository.directory, '.git', name)
    await writeFile(lock, '')
    await assert.rejects(publish(client), (error: unknown) => {
      assert.ok(error instanceof Error)
      assert.match(
        error.message,
        /Nothing was published: another Git command holds (HEAD|main)\.lock in the content/,
      )
      assert.ok(!error.message.includes(repository.directory))
      return true
    })
    await rm(lock)
  }
  await publish(client)
})
