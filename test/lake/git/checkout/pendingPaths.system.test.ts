import assert from 'node:assert/strict'
import {rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {ContentRepository} from '../../../../lake/documents/repository.ts'
import {MAX_VERSIONS, PendingPaths} from '../../../../lake/git/checkout/pendingPaths.ts'
import {openContentDirectory} from '../../../../lake/git/openContentDirectory.ts'
import {type TestRepository, temporaryFolder, temporaryRepository} from '../../support/git.ts'
import {recordingLogger} from '../../support/log.ts'
import {publisherAt, toolText} from '../../support/publisher.ts'

const PUBLISHES = 40
const PATH = 'tool/busy.json'
const text = (value: number) => toolText('busy', value)
const entry = (value: number) => ({mode: '100644', id: `${value}`})

async function eventuallyClean({git}: TestRepository): Promise<void> {
  const status = () => git('--no-optional-locks', 'status', '--porcelain')
  for (let tries = 0; tries < 100 && (await status()) !== ''; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50)) // Git reports no event
  }
  assert.equal(await status(), '')
}

test('index and work tree catch up after a burst of publishes of one document', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({[PATH]: text(0)})
  const {publisher, publish, warnings} = await publisherAt(t, repository)
  for (let value = 1; value <= PUBLISHES; value += 1) await publish({[PATH]: text(value)})
  await publisher.settled()
  await eventuallyClean(repository)
  assert.deepEqual(warnings, [])
  await repository.write('notes.txt', 'mine')
  await repository.git('add', 'notes.txt')
  await repository.git('commit', '--quiet', '--message', 'Mine')
  assert.equal(await repository.git('show', `HEAD:${PATH}`), text(PUBLISHES))
})

test('index and work tree catch up with publishes made while a person held the index lock', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({[PATH]: text(0)})
  const {publisher, publish} = await publisherAt(t, repository)
  const lock = join(repository.directory, '.git/index.lock')
  await writeFile(lock, '')
  for (let value = 1; value <= 27; value += 1) {
    await publish({[PATH]: text(value), 'tool/new.json': toolText('new', value)})
  }
  await rm(lock)
  await eventuallyClean(repository)
  await publisher.settled()
  await repository.write('notes.txt', 'mine')
  await repository.git('add', 'notes.txt')
  await repository.git('commit', '--quiet', '--message', 'Mine')
  assert.equal(await repository.git('show', `HEAD:${PATH}`), text(27))
  assert.equal(await repository.git('show', 'HEAD:tool/new.json'), toolText('new', 27))
})

test('the version in index and work tree is always tracked', async (t) => {
  const behind = new PendingPaths(join(await temporaryFolder(t), 'behind.json'))
  for (let value = 0; value < 2 * MAX_VERSIONS; value += 1) {
    behind.add(PATH, entry(value), entry(value + 1), `commit ${value + 1}`)
  }
  const versions = behind.paths.get(PATH) ?? []
  assert.equal(versions.length, MAX_VERSIONS)
  assert.deepEqual([versions[0]?.entry, versions.at(-1)?.entry], [entry(0), entry(2 * MAX_VERSIONS)])
})

test('when a path changes again while it is being updated, the oldest version stays tracked', async (t) => {
  const folder = await temporaryFolder(t)
  const behind = new PendingPaths(join(folder, 'behind.json'))
  const entries = () => behind.paths.get(PATH)?.map((version) => version.entry)
  behind.add(PATH, undefined, entry(1), 'one')
  const seen = behind.paths.get(PATH) ?? []
  behind.add(PATH, entry(1), entry(2), 'two')
  behind.followed(PATH, seen, entry(1))
  assert.deepEqual(entries(), [entry(1), entry(1), entry(2)])
  // HEAD had moved before it was read, so nothing was updated.
  const before = behind.paths.get(PATH) ?? []
  behind.add(PATH, entry(2), undefined, 'three')
  behind.followed(PATH, before, undefined)
  assert.deepEqual(entries()?.[0], entry(1))
  // The file holds the same.
  await behind.save()
  const again = new PendingPaths(join(folder, 'behind.json'))
  await again.load()
  assert.deepEqual(again.paths, behind.paths)
  behind.followed(PATH, behind.paths.get(PATH) ?? [], undefined)
  assert.equal(behind.paths.size, 0)
})

/** A commit of the index, as Git makes it when it gets the index lock before the lake. */
async function commitIndex({git}: TestRepository): Promise<string> {
  // The index is one publish behind.
  const commit = (await git('commit-tree', 'HEAD~1^{tree}', '-p', 'HEAD', '-m', 'Mine')).trim()
  await git('update-ref', 'HEAD', commit)
  return commit
}

test('changes reverted by a commit from an outdated index are published again', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({[PATH]: text(0), 'tool/gone.json': text(0), 'notes.txt': 'old'})
  const first = await publisherAt(t, repository)
  const lock = join(repository.directory, '.git/index.lock')
  await writeFile(lock, '')
  const files = {[PATH]: text(1), 'tool/new.json': toolText('new', 1), 'tool/gone.json': undefined}
  await first.publish(files)
  const mine = await commitIndex(repository)
  assert.equal(await repository.git('show', `HEAD:${PATH}`), text(0))
  await rm(lock)
  await eventuallyClean(repository)
  await first.publisher.settled()
  assert.equal(await repository.git('show', `HEAD:${PATH}`), text(1))
  assert.equal(
    await repository.git('ls-tree', '--name-only', 'HEAD', 'tool/'),
    'tool/busy.json\ntool/new.json\n',
  )
  await eventuallyClean(repository)
  await repository.git('merge-base', '--is-ancestor', mine, 'HEAD')
  const told = first.warnings.find(({commits}) => commits !== undefined)
  assert.deepEqual(told?.commits, [mine])

  // The lake may be killed before it detects that.
  await writeFile(lock, '')
  await first.publish({[PATH]: text(2)})
  await first.publisher.close()
  await commitIndex(repository)
  await rm(lock)
  const second = await publisherAt(t, repository)
  await second.publisher.settled()
  assert.equal(await repository.git('show', `HEAD:${PATH}`), text(2))
  await eventuallyClean(repository)
})

test('clients never see the reverted state of such a commit', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({[PATH]: text(0)})
  const {publisher, publish} = await publisherAt(t, repository)
  const {logger} = recordingLogger()
  const content = new ContentRepository(await openContentDirectory(repository.directory), logger)
  const value = async () => {
    const update = await content.refresh(() => publisher.restoreTakenBack())
    return update?.documents.get('busy')?.value
  }
  assert.equal(await value(), 0)
  const lock = join(repository.directory, '.git/index.lock')
  await writeFile(lock, '')
  await publish({[PATH]: text(1)})
  assert.equal(await value(), 1)
  await commitIndex(repository)
  assert.equal(await repository.git('show', `HEAD:${PATH}`), text(0))
  // There are two more commits, and the document is unchanged.
  assert.notEqual(await value(), 0)
  assert.equal(await repository.git('show', `HEAD:${PATH}`), text(1))
  await rm(lock)
  await eventuallyClean(repository)
})

test('an intentional revert by a person is kept', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({[PATH]: text(0), 'notes.txt': 'old'})
  const {publisher, publish, warnings} = await publisherAt(t, repository)
  const {commit} = await publish({[PATH]: text(1)})
  await publisher.settled()
  await repository.git('revert', '--no-edit', commit)
  await publish({'tool/other.json': toolText('other', 1)})
  await publisher.settled()
  assert.equal(await repository.git('show', `HEAD:${PATH}`), text(0))
  // The lake itself changes the document back and forth.
  await publish({[PATH]: text(1)})
  await publish({[PATH]: text(0)})
  await publisher.settled()
  assert.equal(await repository.git('show', `HEAD:${PATH}`), text(0))
  await eventuallyClean(repository)
  assert.deepEqual(warnings, [])
})

test('a publish interrupted by a crash before its commit is not repeated at the next start', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'notes.txt': 'old'})
  const first = await publisherAt(t, repository)
  await first.publish({[PATH]: text(1)})
  await first.publisher.close()
  // The lake was about to delete the document that its newest commit created.
  const behind = new PendingPaths(join(repository.directory, '.git/handrail/behind.json'))
  const id = (await repository.git('rev-parse', `HEAD:${PATH}`)).trim()
  behind.add(PATH, {mode: '100644', id}, undefined, '12345678'.repeat(5))
  await behind.save()
  const second = await publisherAt(t, repository)
  await second.publisher.settled()
  assert.equal(await repository.git('show', `HEAD:${PATH}`), text(1))
  assert.deepEqual(second.warnings, [])
  await eventuallyClean(repository)
})
