import assert from 'node:assert/strict'
import {readFile, rm, symlink, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {PublishError} from '../../git/errors.ts'
import {ContentDirectoryError, openContentDirectory} from '../../git/openContentDirectory.ts'
import {temporaryRepository} from '../lake/support/git.ts'
import {runLake} from '../lake/support/lake.ts'
import {publisherAt} from '../lake/support/publisher.ts'
import {eventually} from '../support/eventually.ts'

const page = {_id: 'a', _type: 'page'}

async function refusal(directory: string): Promise<string> {
  const error: unknown = await openContentDirectory(directory).catch((reason: unknown) => reason)
  assert.ok(error instanceof ContentDirectoryError)
  return error.message
}

test('a branch file emptied by a power cut is reported with the place of its last commit', async (t) => {
  const repository = await temporaryRepository(t)
  const commit = await repository.commit({'page/a.json': page})
  const file = join(repository.directory, 'refs/heads/main')
  await writeFile(file, '')
  const [, log = ''] =
    /The branch main of the content repository is damaged.* second word of the last line in (\S+), or restore a backup$/.exec(
      await refusal(repository.directory),
    ) ?? []
  assert.equal((await readFile(log, 'utf8')).split(' ')[1], commit)
})

test('a branch file that the file system does not hand out is not called damaged', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'page/a.json': page})
  const file = join(repository.directory, 'refs/heads/main')
  await rm(file)
  await symlink('main', file)
  assert.equal(
    await refusal(repository.directory),
    `The branch main of the content repository cannot be read (ELOOP): check the disk, and that the user of this process may read ${file}`,
  )
})

test('a running lake serves the last good state, reports the damage, and recovers when the branch is restored', async (t) => {
  const {repository, client, warnings} = await runLake(t, {'page/a.json': page})
  const commit = (await repository.git('rev-parse', 'HEAD')).trim()
  const file = join(repository.directory, 'refs/heads/main')
  await writeFile(file, '')
  await eventually(
    async () => warnings.map(({damage}) => String(damage)),
    (told) => told.some((text) => text.includes('main of the content repository is damaged')),
  )
  assert.equal((await client.getDocument('a'))?._type, 'page')
  await writeFile(file, `${commit}\n`)
  await client.createOrReplace({...page, title: 'published'})
  assert.equal((await client.getDocument('a'))?.title, 'published')
})

test('a branch with a broken commit gives one clear error', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'tool/a.json': 'first'})
  const {publisher} = await publisherAt(t, repository)
  const missing = '1234567890'.repeat(4)
  await writeFile(join(repository.directory, 'refs/heads/main'), `${missing}\n`)
  const files = new Map([['tool/a.json', 'second']])
  const author = {name: 'Ada', email: 'ada@example.com'}
  await assert.rejects(publisher.publish(missing, {files, author, message: 'Late', seconds: 1}), PublishError)
})

test('a running lake whose HEAD names a branch that is gone serves the last good state, and publishes nothing', async (t) => {
  const {repository, client, warnings, address} = await runLake(t, {'page/a.json': page})
  await repository.git('branch', '-m', 'main', 'renamed')
  await repository.git('symbolic-ref', 'HEAD', 'refs/heads/main')
  const refused = client.createOrReplace({...page, title: 'published'})
  await assert.rejects(refused, /names the branch main, which does not exist. It has renamed/)
  await eventually(
    async () => warnings.map(({err}) => JSON.stringify(err)),
    (told) => told.some((text) => text?.includes('names the branch main')),
  )
  await eventually(
    async () => (await fetch(`${address}/readyz`)).text(),
    (text) => text.includes('CONTENT_UNREADABLE'),
  )
  assert.equal((await client.getDocument('a'))?._type, 'page')
  assert.equal(await repository.git('for-each-ref', '--format=%(refname)'), 'refs/heads/renamed\n')
  assert.match(await refusal(repository.directory), /git symbolic-ref HEAD refs\/heads\/renamed$/)
  await repository.git('symbolic-ref', 'HEAD', 'refs/heads/renamed')
  await client.createOrReplace({...page, title: 'published'})
  assert.equal((await client.getDocument('a'))?.title, 'published')
})
