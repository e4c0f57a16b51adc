import {deepEqual, equal, ok, rejects} from 'node:assert/strict'
import {mkdir, readdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {ContentDirectoryError, openContentDirectory} from '../../../lake/git/openContentDirectory.ts'
import {temporaryFolder, temporaryRepository, testRepository} from '../support/git.ts'

async function seed(directory: string): Promise<string> {
  const folder = join(directory, 'seed')
  const repository = testRepository(folder)
  await repository.write('post/a.json', {_id: 'a', _type: 'post'})
  await repository.write('README.md', 'How to work here')
  return folder
}

for (const prepared of ['missing', 'empty']) {
  test(`a folder that is ${prepared} becomes a repository with the seed as its first commit`, async (t) => {
    const base = await temporaryFolder(t)
    const directory = join(base, 'deep', 'content')
    if (prepared === 'empty') await mkdir(directory, {recursive: true})
    const folder = await openContentDirectory(directory, {seedDirectory: await seed(base)})
    const {git} = testRepository(folder.root)
    equal(await git('ls-tree', '-r', '--name-only', 'HEAD'), 'README.md\npost/a.json\n')
    equal(await git('status', '--porcelain'), '')
    equal(await git('log', '--format=%an: %s'), 'Handrail: Add the example content\n')
    deepEqual((await readdir(directory)).sort(), ['.git', 'README.md', 'post'])
  })
}

test('a first start that was interrupted is finished by the next', async (t) => {
  const base = await temporaryFolder(t)
  const directory = join(base, 'content')
  await mkdir(join(directory, '.seeding-x', '.git'), {recursive: true})
  await openContentDirectory(directory, {seedDirectory: await seed(base)})
  deepEqual((await readdir(directory)).sort(), ['.git', 'README.md', 'post'])

  await mkdir(join(directory, '.seeding-y'))
  await testRepository(directory).remove('post')
  await openContentDirectory(directory)
  deepEqual((await readdir(directory)).sort(), ['.git', 'README.md', 'post'])
})

test('a repository with content is not changed', async (t) => {
  const repository = await temporaryRepository(t)
  const head = await repository.commit({'post/b.json': {_id: 'b', _type: 'post'}})
  await openContentDirectory(repository.directory, {
    seedDirectory: await seed(await temporaryFolder(t)),
  })
  equal((await repository.git('rev-parse', 'HEAD')).trim(), head)
})

const refused = async (directory: string, reason: RegExp) => {
  await rejects(openContentDirectory(directory), (error) => {
    ok(error instanceof ContentDirectoryError)
    ok(reason.test(error.message), error.message)
    equal(error.message.includes('\n'), false)
    return true
  })
}

test('a folder with other files is rejected', async (t) => {
  const directory = await temporaryFolder(t)
  await writeFile(join(directory, 'note.txt'), 'x')
  await refused(directory, /is not empty and is not a Git repository/)
})

test("a folder inside another project's work tree is rejected", async (t) => {
  const repository = await temporaryRepository(t)
  await repository.write('content/note.txt', 'x')
  await refused(
    join(repository.directory, 'content'),
    /is inside the repository .*: it must be its own repository/,
  )
})

test('an empty folder inside another work tree becomes its own repository', async (t) => {
  const repository = await temporaryRepository(t)
  const folder = await openContentDirectory(join(repository.directory, '.handrail', 'content'))
  equal(folder.gitDir, join(folder.root, '.git'))
})

test('a bare repository is opened, but no folder inside of it', async (t) => {
  const directory = await temporaryFolder(t)
  await testRepository(directory).git('init', '--quiet', '--bare')
  const folder = await openContentDirectory(directory)
  deepEqual([folder.isBare, folder.gitDir], [true, folder.root])
  await refused(join(directory, 'refs'), /is inside the repository .*: it must be its own repository/)
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
  const directory = await temporaryFolder(t)
  const path = process.env.PATH
  process.env.PATH = directory
  t.after(() => {
    process.env.PATH = path
  })
  await refused(directory, /Git was not found/)
})
