import {deepEqual, equal, ok, rejects} from 'node:assert/strict'
import {access, chmod, mkdir, readdir, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {IndexLock} from '../../../../lake/git/checkout/indexLock.ts'
import {WorkTreeFiles} from '../../../../lake/git/checkout/workTreeFiles.ts'
import {temporaryFolder, temporaryRepository} from '../../support/git.ts'
import {publisherAt, toolText} from '../../support/publisher.ts'

test("publishing waits for a briefly held index lock, so the person's next commit reverts nothing", async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': toolText('a', 'old')})
  const {publish, head} = await publisherAt(context, repository)
  const before = await head()
  // Like `git add`.
  const lock = join(repository.directory, '.git/index.lock')
  await writeFile(lock, '')
  const publishing = publish({'tool/a.json': toolText('a', 'new')})
  await setTimeout(100) // Git reports no event
  equal(await head(), before)
  await rm(lock)
  const {commit} = await publishing
  const committing = repository.git('commit', '--quiet', '--message', 'What was staged')
  await rejects(committing, /index\.lock|nothing to commit/)
  equal(await head(), commit)
})

test('a start after a crash holds the index lock until the index matches HEAD', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': toolText('a', 'old'), 'memo/m.json': '{}'})
  const first = await publisherAt(context, repository)
  const {commit} = await first.publish({'tool/a.json': toolText('a', 'new')})
  await first.publisher.close()
  // HEAD has moved, but index and work tree have not been updated.
  await repository.git('read-tree', 'HEAD~1')
  await repository.write('tool/a.json', toolText('a', 'old'))
  await repository.write('memo/m.json', '{"mine": true}')
  const entry = async (name: string) => ({
    mode: '100644',
    id: (await repository.git('rev-parse', name)).trim(),
  })
  const paths = {'tool/a.json': [await entry('HEAD~1:tool/a.json'), await entry('HEAD:tool/a.json')]}
  const git = join(repository.directory, '.git')
  await writeFile(join(git, 'handrail/behind.json'), JSON.stringify({version: 1, paths}))
  await writeFile(join(git, 'index.lock'), 'held by handrail\n')
  // The lock of a killed Git process: the start waits for its release.
  await writeFile(join(git, 'HEAD.lock'), '')
  const starting = publisherAt(context, repository)
  const mine = ['commit', '--quiet', '--all', '--message', 'Mine']
  const commitSoon = (): Promise<string> =>
    repository.git(...mine).catch(() => setTimeout(5).then(commitSoon)) // Git reports no event
  await Promise.all([starting, commitSoon()])
  equal(await repository.git('rev-parse', 'HEAD~1'), `${commit}\n`)
  equal(await repository.git('show', 'HEAD:tool/a.json'), toolText('a', 'new'))
  equal(await repository.git('status', '--porcelain'), '')
})

test('a lock that could not be released is found again, and every lock left behind has a marker', async (context) => {
  const folder = await temporaryFolder(context)
  const lock = new IndexLock(folder)
  const file = join(folder, 'index.lock')
  ok(await lock.hold())
  await chmod(folder, 0o555)
  // Root can remove it despite the permissions, so the test writes it again.
  await lock.release()
  await chmod(folder, 0o755)
  await writeFile(file, 'held by handrail\n')
  ok(await lock.hold())
  await lock.release()
  await rejects(access(file), /ENOENT/)
  await writeFile(file, '')
  equal(await lock.hold(), false)
})

test('files left next to the index by a killed Git process do not block publishing', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': toolText('a', 'old')})
  const folder = join(repository.directory, '.git/handrail')
  await mkdir(folder)
  for (const name of ['index', 'index.lock', 'index123', 'index123.lock'])
    await writeFile(join(folder, name), '')
  const {publisher, publish, warnings} = await publisherAt(context, repository)
  await publish({'tool/a.json': toolText('a', 'new')})
  await publisher.settled()
  equal(await repository.git('status', '--porcelain'), '')
  deepEqual([warnings, (await readdir(folder)).filter((name) => name.startsWith('index'))], [[], []])
})

test('index and work tree catch up automatically once they can be written again', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': toolText('a', 'old')})
  const {publisher, publish, warnings} = await publisherAt(context, repository)
  const lock = join(repository.directory, '.git/index.lock')
  await writeFile(lock, '')
  await publish({'tool/a.json': toolText('a', 'new')})
  await publisher.settled()
  equal(warnings.length, 1)
  await rm(lock)
  const status = () => repository.git('--no-optional-locks', 'status', '--porcelain')
  for (let tries = 0; tries < 100 && (await status()) !== ''; tries += 1) await setTimeout(50) // Git reports no event
  equal(await status(), '')
})

test('publishes during an index update leave no window for a commit by hand', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': toolText('a', 'old'), 'memo/m.json': '0'})
  const {publisher, publish} = await publisherAt(context, repository)
  let published = 0
  const publishing = async () => {
    // At about the time at which index and work tree are updated for the earlier ones.
    for (; published < 25; published += 1) {
      await publish({[`tool/t${published}.json`]: toolText(`t${published}`, 'new')}).catch(() => {})
      await setTimeout(20 + 40 * Math.random()) // a person pauses
    }
  }
  const committing = async () => {
    for (let number = 0; published < 25; number += 1) {
      await repository.write('memo/m.json', String(number))
      await repository.git('commit', '--quiet', '--all', '--message', 'Mine').catch(() => {})
    }
  }
  await Promise.all([publishing(), committing()])
  await publisher.settled()
  const touched = await repository.git('log', '--grep=Mine', '--format=', '--name-only', 'HEAD', '--', 'tool')
  equal(touched.trim(), '')
})

test('an unwritable file does not stop the lake, and is written once it can be', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': toolText('a', 'old')})
  const {publisher, publish, warnings} = await publisherAt(context, repository)
  const failing = context.mock.method(WorkTreeFiles.prototype, 'write', () =>
    Promise.reject(new Error('broken')),
  )
  await publish({'tool/a.json': toolText('a', 'new'), 'tool/b.json': toolText('b', 'new')})
  await publisher.settled()
  equal(warnings.length, 1)
  failing.mock.restore()
  const status = () => repository.git('--no-optional-locks', 'status', '--porcelain')
  for (let tries = 0; tries < 100 && (await status()) !== ''; tries += 1) await setTimeout(50) // Git reports no event
  equal(await status(), '')
})
