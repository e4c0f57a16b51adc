import {deepEqual, equal, match, rejects} from 'node:assert/strict'
import {chmod, lstat, mkdir, readFile, rm, stat, symlink, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {type TestRepository, temporaryFolder, temporaryRepository} from '../../support/git.ts'
import {publisherAt} from '../../support/publisher.ts'

const read = (repository: TestRepository, path: string) => readFile(join(repository.directory, path), 'utf8')
const status = async (repository: TestRepository) => (await repository.git('status', '--porcelain')).trimEnd()

test('a person’s commit of all files reverts nothing', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'old', 'tool/b.json': 'old', 'tool/gone.json': 'old'})
  const {publisher, publish} = await publisherAt(context, repository)
  const {commit} = await publish({'tool/a.json': 'new', 'tool/c.json': 'new', 'tool/gone.json': undefined})
  await publisher.settled()
  await repository.write('README.md', 'mine')
  await repository.git('add', 'README.md')
  await repository.git('commit', '--quiet', '--all', '--message', 'Mine')
  equal((await repository.git('diff', '--name-only', commit, 'HEAD')).trim(), 'README.md')
})

test('an index older than HEAD cannot be committed', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'old'})
  const {publisher, publish} = await publisherAt(context, repository)
  await publish({'tool/a.json': 'new'})
  await rejects(
    repository.git('commit', '--quiet', '--all', '--allow-empty', '--message', 'Mine'),
    /index\.lock/,
  )
  await publisher.settled()
  await repository.git('commit', '--quiet', '--all', '--allow-empty', '--message', 'Mine')
  equal(await repository.git('show', 'HEAD:tool/a.json'), 'new')
})

test('a file changed by a person is kept, and logged once', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'old', 'tool/b.json': 'old', 'tool/c.json': 'old'})
  const {publisher, publish, warnings} = await publisherAt(context, repository)
  await repository.write('tool/a.json', 'mine')
  await repository.write('tool/new.json', 'mine too')
  await repository.write('tool/c.json', 'mine as well')
  await publish({
    'tool/a.json': 'new',
    'tool/b.json': 'new',
    'tool/new.json': 'new',
    'tool/c.json': undefined,
  })
  await publisher.settled()
  deepEqual(
    warnings.map(({path, msg}) => `${path}: ${msg}`),
    ['a', 'c', 'new'].map(
      (name) =>
        `tool/${name}.json: not updating a file in the work tree, because it has local changes: it differs from what is published`,
    ),
  )
  equal(await read(repository, 'tool/a.json'), 'mine')
  equal(await read(repository, 'tool/b.json'), 'new')
  equal(await status(repository), ' M tool/a.json\n M tool/new.json\n?? tool/c.json')
  // Only their own edit changes what is published.
  await repository.git('commit', '--quiet', '--allow-empty', '--message', 'Nothing staged')
  equal(await repository.git('show', 'HEAD:tool/a.json'), 'new')
})

test('a person’s staged changes are kept', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'old'})
  const {publisher, publish, warnings} = await publisherAt(context, repository)
  await repository.write('tool/a.json', 'mine')
  await repository.git('add', 'tool/a.json')
  await publish({'tool/a.json': 'new'})
  await publisher.settled()
  equal(await repository.git('show', ':tool/a.json'), 'mine')
  equal(await read(repository, 'tool/a.json'), 'mine')
  match(warnings[0]?.msg ?? '', /has staged changes/)
})

test('a file deleted by a person is restored by the next publish of it', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'old'})
  const {publisher, publish} = await publisherAt(context, repository)
  await rm(join(repository.directory, 'tool'), {recursive: true})
  await publish({'tool/a.json': 'new'})
  await publisher.settled()
  equal(await status(repository), '')
})

test('symbolic links are not written through', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'old'})
  const elsewhere = await temporaryFolder(context)
  await writeFile(join(elsewhere, 'a.json'), 'old')
  await rm(join(repository.directory, 'tool'), {recursive: true})
  await symlink(elsewhere, join(repository.directory, 'tool'))
  const {publisher, publish, warnings} = await publisherAt(context, repository)
  await publish({'tool/a.json': 'new', 'tool/b.json': 'new'})
  await publisher.settled()
  equal(await readFile(join(elsewhere, 'a.json'), 'utf8'), 'old')
  await rejects(stat(join(elsewhere, 'b.json')))
  equal(warnings.length, 2)
})

test('converted line endings do not count as a person’s changes', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.git('config', 'core.autocrlf', 'true')
  await repository.commit({'tool/a.json': '{\n}\n'})
  await rm(join(repository.directory, 'tool/a.json'))
  await repository.git('checkout', '--', 'tool/a.json')
  equal(await read(repository, 'tool/a.json'), '{\r\n}\r\n')
  const {publisher, publish, warnings} = await publisherAt(context, repository)
  await publish({'tool/a.json': '{\n  "new": 1\n}\n'})
  await publisher.settled()
  deepEqual([warnings, await status(repository)], [[], ''])
})

test('an executable file stays executable in the work tree', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.write('tool/a.json', 'old')
  await chmod(join(repository.directory, 'tool/a.json'), 0o755)
  await repository.commit({})
  const {publisher, publish} = await publisherAt(context, repository)
  await publish({'tool/a.json': 'new'})
  await publisher.settled()
  equal((await lstat(join(repository.directory, 'tool/a.json'))).mode & 0o111, 0o111)
  equal(await status(repository), '')
})

test('a sparse checkout stays sparse', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'old', 'site/s.json': 'old'})
  await repository.git('sparse-checkout', 'set', 'site')
  const {publisher, publish} = await publisherAt(context, repository)
  await publish({'tool/a.json': 'new', 'site/s.json': 'new'})
  await publisher.settled()
  await rejects(stat(join(repository.directory, 'tool')))
  equal(await read(repository, 'site/s.json'), 'new')
  equal(await status(repository), '')
})

test('an index locked by a person is not changed, and the next publish catches up', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'old'})
  const {publisher, publish, warnings} = await publisherAt(context, repository)
  const lock = join(repository.directory, '.git/index.lock')
  await writeFile(lock, '')
  await publish({'tool/a.json': 'new'})
  await publisher.settled()
  match(warnings[0]?.msg ?? '', /index\.lock exists/)
  equal(await read(repository, 'tool/a.json'), 'old')
  await rm(lock)
  await publish({'tool/b.json': 'new'})
  await publisher.settled()
  equal(await status(repository), '')
})

test('a branch that a person switched to in the meantime is not changed', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'old'})
  await repository.git('branch', 'other')
  const {publisher, publish} = await publisherAt(context, repository)
  const lock = join(repository.directory, '.git/index.lock')
  await writeFile(lock, '')
  await publish({'tool/a.json': 'new'})
  await rm(lock)
  await repository.git('symbolic-ref', 'HEAD', 'refs/heads/other')
  await publisher.settled()
  equal(await read(repository, 'tool/a.json'), 'old')
  equal(await status(repository), '')
  equal(await repository.git('show', 'main:tool/a.json'), 'new')
})

test('the next start finishes updates interrupted by a crash and changes nothing else', async (context) => {
  const repository = await temporaryRepository(context)
  const files = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`tool/${name}.json`, 'old']))
  await repository.commit(files)
  const first = await publisherAt(context, repository)
  // A person's lock prevents the update, as a crash would.
  const lock = join(repository.directory, '.git/index.lock')
  await writeFile(lock, '')
  await first.publish({'tool/a.json': 'new', 'tool/b.json': undefined, 'tool/e.json': 'new'})
  await first.publish({'tool/a.json': 'newer', 'tool/d.json': 'new'})
  await first.publisher.close()
  await rm(lock)
  await repository.write('tool/c.json', 'mine')
  await repository.write('tool/d.json', 'mine')
  const second = await publisherAt(context, repository)
  equal(await status(repository), ' M tool/c.json\n M tool/d.json')
  equal(await read(repository, 'tool/a.json'), 'newer')
  equal(second.warnings.length, 1)
})

test('locks left by a crash of the machine are removed at the next start', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'old'})
  const first = await publisherAt(context, repository)
  await first.publish({'tool/a.json': 'new'})
  await first.publisher.close()
  const git = join(repository.directory, '.git')
  const blob = (await repository.git('rev-parse', 'HEAD:tool/a.json')).trim()
  await mkdir(join(git, 'handrail'), {recursive: true})
  const paths = {'tool/a.json': [{mode: '100644', id: blob}, null]}
  await writeFile(join(git, 'handrail/behind.json'), JSON.stringify({version: 1, paths}))
  await writeFile(join(git, 'index.lock'), 'held by handrail\n')
  await writeFile(join(git, 'HEAD.lock'), '')
  await writeFile(join(git, 'refs/heads/main.lock'), '')
  const second = await publisherAt(context, repository)
  equal(second.warnings.length, 2)
  await second.publish({'tool/a.json': 'newer'})
  await second.publisher.settled()
  equal(await status(repository), '')
})

test("a start does not remove a person's own lock", async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'old'})
  const lock = join(repository.directory, '.git/index.lock')
  await writeFile(lock, '')
  await publisherAt(context, repository)
  equal(await readFile(lock, 'utf8'), '')
})
