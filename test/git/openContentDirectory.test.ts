import {deepEqual, equal, match, ok, rejects} from 'node:assert/strict'
import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {ContentDirectoryError, openContentDirectory, openRepository} from '../../git/openContentDirectory.ts'
import {
  cloneOf,
  createRepository,
  temporaryFolder,
  temporaryRepository,
  temporaryWorkTree,
  testRepository,
} from '../lake/support/git.ts'

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
    equal(await git('ls-tree', '-r', '--name-only', 'HEAD'), '.gitignore\nREADME.md\npost/a.json\n')
    equal(await git('log', '--format=%an: %s'), 'Handrail: Begin the content\n')
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
  equal(await testRepository(root).git('config', 'core.fsync'), 'committed\n')
  deepEqual(
    (await readdir(directory)).filter((name) => name.startsWith('.')),
    [],
  )
})

test('a push of objects that Git cannot read or check out is refused', async (t) => {
  const directory = join(await temporaryFolder(t), 'content.git')
  await openContentDirectory(directory)
  const person = await cloneOf(t, testRepository(directory))
  const first = await person.commit({'post/a.json': {_id: 'a', _type: 'post'}})
  const push = (commit: string) => person.git('push', '--quiet', 'origin', `${commit}:refs/heads/main`)
  await push(first)
  const id = (await person.git('rev-parse', 'HEAD:post')).trim()
  for (const entry of ['40000 .git', 'x post', '40000 a/b', '100644 post']) {
    await person.write('tree', Buffer.concat([Buffer.from(`${entry}\0`), Buffer.from(id, 'hex')]))
    const tree = (await person.git('hash-object', '-t', 'tree', '-w', '--literally', 'tree')).trim()
    const lines = [`tree ${tree}`, `parent ${first}`, 'author A <a@b> 1 +0000', 'committer A <a@b> 1 +0000']
    await person.write('commit', `${lines.join('\n')}\n\nOdd\n`)
    const commit = await person.git('hash-object', '-t', 'commit', '-w', '--literally', 'commit')
    await rejects(push(commit.trim()), entry)
  }
  equal((await testRepository(directory).git('rev-parse', 'main')).trim(), first)
})

test('a repository with content is not changed', async (t) => {
  const repository = await temporaryRepository(t)
  const head = await repository.commit({'post/b.json': {_id: 'b', _type: 'post'}})
  await openContentDirectory(repository.directory, {
    seedDirectory: await seed(await temporaryFolder(t)),
  })
  equal((await repository.git('rev-parse', 'HEAD')).trim(), head)
})

/** A repository with a work tree, and the state of a lake in its Git folder. */
async function workTree(t: TestContext) {
  const base = await temporaryFolder(t)
  const directory = join(base, 'content')
  const repository = testRepository(directory)
  await createRepository(join(directory, '.git'))
  await repository.git('config', 'core.bare', 'false')
  await repository.commit({'post/a.json': {_id: 'a', _type: 'post'}})
  await repository.write('.git/handrail/state.db', 'drafts')
  return {base, directory, bare: join(base, 'content.git')}
}

test('a folder with a work tree is rejected with the commands that convert a copy of it', async (t) => {
  const {base, directory, bare} = await workTree(t)
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
  equal(await readFile(join(bare, 'handrail/state.db'), 'utf8'), 'drafts')
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
