import assert from 'node:assert/strict'
import {chmod, readFile, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {readBlobs} from '../../git/read/blobs.ts'
import {cloneOf, type TestRepository, temporaryRepository, unpack} from '../lake/support/git.ts'
import {runLakeOver} from '../lake/support/lake.ts'
import {eventually} from '../support/eventually.ts'

const post = (id: string, title = id) => ({_id: id, _type: 'post', title})

/** The loose object file of a path's blob. */
async function objectOf(repository: TestRepository, path: string): Promise<string> {
  const blob = (await repository.git('rev-parse', `HEAD:${path}`)).trim()
  const file = join(repository.directory, 'objects', blob.slice(0, 2), blob.slice(2))
  await chmod(file, 0o644)
  return file
}

const damages: {[name: string]: (file: string) => Promise<void>} = {
  missing: (file) => rm(file),
  empty: (file) => writeFile(file, ''),
  truncated: async (file) => writeFile(file, (await readFile(file)).subarray(0, 20)),
  garbage: (file) => writeFile(file, 'garbage'),
}

test('a missing or damaged blob hides one document, is reported, and does not affect others', async (t) => {
  const repository = await temporaryRepository(t)
  const names = Object.keys(damages)
  const ids = names.map((name) => name.replace(' ', '-'))
  const files = Object.fromEntries(['aaa', ...ids, 'zzz'].map((id) => [`post/${id}.json`, post(id)]))
  await repository.commit(files)
  await unpack(repository)
  for (const [index, name] of names.entries()) {
    await damages[name]?.(await objectOf(repository, `post/${ids[index]}.json`))
  }
  const {client, warnings} = await runLakeOver(t, repository)
  assert.deepEqual(await client.fetch('*[_type == "post"]._id'), ['aaa', 'zzz'])
  const told = warnings.filter(({reason}) =>
    /missing, damaged or not readable in the Git repository/.test(String(reason)),
  )
  assert.deepEqual(told.map(({path}) => path).sort(), ids.map((id) => `post/${id}.json`).sort())
  // Publishing the document again repairs it.
  await client.createOrReplace(post('missing', 'again'))
  assert.equal((await client.getDocument('missing'))?.title, 'again')
})

test('a running lake follows a commit with a missing blob', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'post/a.json': post('a')})
  const {client} = await runLakeOver(t, repository)
  await repository.git('config', 'gc.auto', '0')
  const person = await cloneOf(t, repository)
  const commit = await person.commit({'post/b.json': post('b'), 'post/c.json': post('c')})
  await person.git('push', '--quiet', 'origin', 'HEAD:side')
  const blob = (await repository.git('rev-parse', 'side:post/b.json')).trim()
  await rm(join(repository.directory, 'objects', blob.slice(0, 2), blob.slice(2)))
  await repository.git('update-ref', 'HEAD', commit)
  await eventually(
    () => client.getDocument('c'),
    (document) => document !== undefined,
  )
  assert.deepEqual(await client.fetch('*[_type == "post"]._id'), ['a', 'c'])
})

test('blobs are not reported as damaged if Git cannot be started', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'post/a.json': post('a')})
  const blob = (await repository.git('rev-parse', 'HEAD:post/a.json')).trim()
  const told: string[] = []
  await assert.rejects(
    readBlobs('/nowhere', [blob], 1_000, (id) => told.push(id)),
    /git cat-file: not found/,
  )
  assert.deepEqual(told, [])
})
