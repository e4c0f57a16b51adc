import {deepEqual, equal, match, ok, rejects} from 'node:assert/strict'
import {mkdir, readdir, readFile, stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {acquireLock} from '../../git/lock/repositoryLock.ts'
import {ContentDirectoryError, openContentDirectory, openRepository} from '../../git/openContentDirectory.ts'
import {
  createRepository,
  temporaryFolder,
  temporaryRepository,
  temporaryWorkTree,
  testRepository,
} from '../lake/support/git.ts'
import {runLakeOver} from '../lake/support/lake.ts'
import {recordingLogger} from '../lake/support/log.ts'

async function seed(directory: string): Promise<string> {
  const folder = join(directory, 'seed')
  const repository = testRepository(folder)
  await repository.write('post/a.json', {_id: 'a', _type: 'post'})
  await repository.write('README.md', 'How to work here')
  return folder
}

const refused = async (directory: string, reason: RegExp) => {
  await rejects(openContentDirectory(directory), (error) => {
    ok(error instanceof ContentDirectoryError)
    match(error.message, reason)
    equal(error.message.includes('\n'), false)
    return true
  })
}

for (const prepared of ['missing', 'empty']) {
  test(`a folder that is ${prepared} becomes a bare repository with the seed as its first commit`, async (t) => {
    const base = await temporaryFolder(t)
    const directory = join(base, 'deep', 'content.git')
    if (prepared === 'empty') await mkdir(directory, {recursive: true})
    const folder = await openContentDirectory(directory, {seedDirectory: await seed(base)})
    deepEqual([folder.isBare, folder.gitDir, folder.format], [true, folder.root, 'sha1'])
    const {git} = testRepository(folder.root)
    equal(await git('ls-tree', '-r', '--name-only', 'HEAD'), 'README.md\npost/a.json\n')
    equal(await git('log', '--format=%an: %s'), 'Handrail: Add the example content\n')
    const names = await readdir(directory)
    deepEqual(
      names.filter((name) => name.startsWith('.seed') || name.endsWith('index') || name === 'post'),
      [],
    )
  })
}

test('a first start that was interrupted is finished by the next', async (t) => {
  const base = await temporaryFolder(t)
  const directory = join(base, 'content.git')
  await mkdir(join(directory, '.seeding-x', 'objects'), {recursive: true})
  const options = {seedDirectory: await seed(base)}
  const {root} = await openContentDirectory(directory, options)
  const head = await testRepository(root).git('rev-parse', 'HEAD')

  // The repository was complete, and some of its files have been moved to their place.
  const other = join(base, 'other.git')
  await createRepository(join(other, '.seeded'))
  await testRepository(join(other, '.seeded')).commit({'post/b.json': {_id: 'b', _type: 'post'}})
  await mkdir(join(other, '.seeding-y'))
  await testRepository(other).git('init', '--quiet', '--bare', '--template=', join(other, '.seeding-y'))
  await openContentDirectory(other, options)
  equal(await testRepository(other).git('ls-tree', '-r', '--name-only', 'HEAD'), 'post/b.json\n')
  equal(await testRepository(root).git('rev-parse', 'HEAD'), head)
  for (const folder of [directory, other])
    deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('.')),
      [],
    )
})

test('a repository with content is not changed', async (t) => {
  const repository = await temporaryRepository(t)
  const head = await repository.commit({'post/b.json': {_id: 'b', _type: 'post'}})
  await openContentDirectory(repository.directory, {
    seedDirectory: await seed(await temporaryFolder(t)),
  })
  equal((await repository.git('rev-parse', 'HEAD')).trim(), head)
})

/** A folder of an earlier version: a work tree, with the drafts of a lake in its Git folder. */
async function earlierFolder(t: TestContext) {
  const base = await temporaryFolder(t)
  const directory = join(base, 'content')
  const earlier = testRepository(directory)
  await createRepository(join(directory, '.git'))
  await earlier.git('config', 'core.bare', 'false')
  await earlier.git('config', 'receive.denyCurrentBranch', 'updateInstead')
  await earlier.git('remote', 'add', 'origin', 'https://git.example/content.git')
  await earlier.commit({'post/a.json': {_id: 'a', _type: 'post', title: 'published'}}, 1_000)
  const date = '1970-01-01T00:16:40Z'
  const times = {_rev: 'r', _createdAt: date, _updatedAt: date}
  const draft = {_id: 'drafts.a', _type: 'post', title: 'draft', ...times}
  const line = {id: 'one', drafts: {'drafts.a': {document: draft, base: null}}}
  await earlier.write('.git/handrail/drafts.jsonl', `${JSON.stringify(line)}\n`)
  await earlier.write('.git/handrail/behind.json', '{}')
  await earlier.write('.git/handrail/push', 'x')
  await earlier.write('.git/refs/heads/main.lock', '')
  await earlier.write(
    '.git/hooks/update',
    '#!/bin/sh\n# …: keeps a push and a publish of the lake apart.\nexit 1\n',
  )
  await earlier.write('.git/hooks/pre-receive', '#!/bin/sh\nexit 0\n')
  await earlier.write('post/a.json', 'edited by hand')
  return {base, earlier, directory, bare: join(base, 'content.git')}
}

test('the folder of an earlier version is converted once, with its drafts and settings, and stays as it is', async (t) => {
  const {earlier, directory, bare} = await earlierFolder(t)
  const head = (await earlier.git('rev-parse', 'HEAD')).trim()
  const repository = testRepository(bare)
  const lake = await runLakeOver(t, repository, {seedDir: await seed(await temporaryFolder(t))})
  const documents = await lake.client.fetch('*[] | order(_id) {_id, title}', {}, {perspective: 'raw'})
  deepEqual(documents, [
    {_id: 'a', title: 'published'},
    {_id: 'drafts.a', title: 'draft'},
  ])
  const told = lake.warnings.filter(({msg}) => msg.includes('repository of an earlier version'))
  deepEqual(
    told.map(({from, to}) => [from, to]),
    [[directory, bare]],
  )
  equal((await repository.git('config', 'remote.origin.url')).trim(), 'https://git.example/content.git')
  deepEqual(await readdir(join(bare, 'hooks')), ['pre-receive'])
  const names = await readdir(join(bare, 'handrail'))
  deepEqual(
    names.filter((name) => ['behind.json', 'push'].includes(name)),
    [],
  )
  await lake.client.createOrReplace({_id: 'a', _type: 'post', title: 'newer'})

  equal((await earlier.git('rev-parse', 'HEAD')).trim(), head)
  equal(await readFile(join(directory, 'post/a.json'), 'utf8'), 'edited by hand')
  const {logger, warnings} = recordingLogger()
  await openContentDirectory(bare, {logger})
  deepEqual(warnings, [])
  match(await repository.git('show', 'HEAD:post/a.json'), /newer/)
})

test('a folder of an earlier version is not converted while a lake runs on it, or without a branch', async (t) => {
  const {earlier, directory, bare} = await earlierFolder(t)
  const lock = await acquireLock(join(directory, '.git'), 'the lake')
  await refused(bare, /content cannot be converted: the content repository is in use by the lake/)
  await lock.release()
  await earlier.git('checkout', '--quiet', '--force', '--detach')
  await refused(
    bare,
    /content cannot be converted: .* has no branch checked out. Finish its rebase or bisect/,
  )
  await rejects(stat(bare), /ENOENT/)
})

test('a folder with a work tree is rejected with the commands that convert a copy of it', async (t) => {
  const {base, directory, bare} = await earlierFolder(t)
  for (const folder of [directory, join(directory, '.git')]) {
    const error: unknown = await openContentDirectory(folder).catch((reason: unknown) => reason)
    ok(error instanceof ContentDirectoryError)
    const [, commands = ''] =
      /has a work tree.* run: (.*)\. Then set CONTENT_DIR=\S+$/.exec(error.message) ?? []
    ok(error.message.includes(bare) || folder !== directory, error.message)
    if (folder === directory) await testRepository(base).git('-c', `alias.x=!${commands}`, 'x')
  }
  const folder = await openContentDirectory(bare)
  equal(folder.isBare, true)
  ok((await readFile(join(bare, 'handrail/drafts.jsonl'), 'utf8')).includes('drafts.a'))
  equal((await openRepository(directory)).isBare, false)
})

test('a bare repository whose HEAD is on no branch is rejected with the command that fixes it', async (t) => {
  const repository = await temporaryRepository(t)
  const head = await repository.commit({'post/b.json': {_id: 'b', _type: 'post'}})
  await repository.write('HEAD', `${head}\n`)
  await refused(repository.directory, /is on no branch.* git symbolic-ref HEAD refs\/heads\/main$/)
})

test('a folder with other files is rejected', async (t) => {
  const directory = await temporaryFolder(t)
  await writeFile(join(directory, 'note.txt'), 'x')
  await refused(directory, /is not empty and is not a Git repository/)
})

test("a folder inside another project's repository is rejected", async (t) => {
  const repository = await temporaryWorkTree(t)
  await repository.write('content/note.txt', 'x')
  const inside = /is inside the repository .*: it must be its own repository/
  await refused(join(repository.directory, 'content'), inside)
  await refused(join((await temporaryRepository(t)).directory, 'refs'), inside)
})

test('an empty folder inside a work tree becomes its own repository', async (t) => {
  const repository = await temporaryWorkTree(t)
  const folder = await openContentDirectory(join(repository.directory, '.handrail', 'content.git'))
  deepEqual([folder.isBare, folder.gitDir], [true, folder.root])
})

test('a file where the folder should be is rejected', async (t) => {
  const file = join(await temporaryFolder(t), 'file')
  await writeFile(file, 'x')
  await refused(file, /cannot be read \(ENOTDIR\)/)
})

test('a repository of another user is rejected with the command that allows it', async (t) => {
  const repository = await temporaryRepository(t)
  // Git's own switch for tests of this.
  process.env.GIT_TEST_ASSUME_DIFFERENT_OWNER = '1'
  t.after(() => {
    delete process.env.GIT_TEST_ASSUME_DIFFERENT_OWNER
  })
  await refused(
    repository.directory,
    /dubious ownership .* run: git config --global --add safe\.directory \S*handrail-lake-/,
  )
})

test('a missing Git is reported', async (t) => {
  const {directory} = await temporaryRepository(t)
  const empty = await temporaryFolder(t)
  const path = process.env.PATH
  process.env.PATH = empty
  t.after(() => {
    process.env.PATH = path
  })
  for (const folder of [empty, directory]) await refused(folder, /Git was not found/)
})
