import assert from 'node:assert/strict'
import {readFile, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {cloneOf, type TestRepository, temporaryRepository, unpack} from '../lake/support/git.ts'
import {runLakeOver} from '../lake/support/lake.ts'
import {eventually} from '../support/eventually.ts'

const post = (id: string) => ({_id: id, _type: 'post'})

/** Removes the object of a revision, such as `HEAD:post`. Returns a function that restores it. */
async function removeObject(repository: TestRepository, revision: string): Promise<() => Promise<void>> {
  const id = (await repository.git('rev-parse', revision)).trim()
  await unpack(repository)
  const file = join(repository.directory, 'objects', id.slice(0, 2), id.slice(2))
  const bytes = await readFile(file)
  await rm(file)
  return () => writeFile(file, bytes)
}

/** A repository with two commits, the second of which adds a post. */
async function withTwoCommits(t: TestContext): Promise<TestRepository> {
  const repository = await temporaryRepository(t)
  await repository.commit({'post/a.json': post('a')}, 1_000)
  await repository.commit({'post/b.json': post('b')}, 2_000)
  return repository
}

for (const [name, revision] of [
  ['a file', 'HEAD:post/b.json'],
  ['the tree of a folder', 'HEAD:post'],
  ['the commit of HEAD', 'HEAD'],
  ['the tree of an earlier commit', 'HEAD~1:post'],
] as const) {
  test(`without ${name}, a lake does not start, says what to do, and starts once the object is back`, async (t) => {
    const repository = await withTwoCommits(t)
    const restore = await removeObject(repository, revision)
    await assert.rejects(runLakeOver(t, repository), (error: Error) => {
      assert.match(error.message, /cannot be read: .*fetch it from another clone, or restore a backup$/)
      assert.ok(!error.message.includes('\n'))
      return true
    })
    await restore()
    const {client} = await runLakeOver(t, repository)
    assert.deepEqual(await client.fetch('*._id'), ['a', 'b'])
  })
}

test('a running lake serves its last good state, says so, and refuses to publish', async (t) => {
  const repository = await withTwoCommits(t)
  const {client, address} = await runLakeOver(t, repository)
  await repository.git('config', 'gc.auto', '0')
  const person = await cloneOf(t, repository)
  const commit = await person.commit({'post/d.json': post('d')})
  await person.git('push', '--quiet', 'origin', 'HEAD:side')
  const restore = await removeObject(repository, 'side:post')
  await repository.git('update-ref', 'HEAD', commit)
  const readiness = async () => (await fetch(`${address}/readyz`)).text()
  await eventually(readiness, /CONTENT_UNREADABLE/)
  await assert.rejects(client.create(post('c')), {statusCode: 503})
  assert.deepEqual(await client.fetch('*._id'), ['a', 'b'])
  assert.equal((await repository.git('rev-parse', 'HEAD')).trim(), commit)
  await restore()
  await eventually(
    () => client.fetch<string[]>('*._id'),
    (ids) => ids.length === 3,
  )
})
