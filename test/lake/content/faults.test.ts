import {equal, match, notEqual, ok, rejects} from 'node:assert/strict'
import {execFile, fork} from 'node:child_process'
import {chmod, mkdtemp, readdir, rmdir, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {PublishError} from '../../../lake/content/publisher.ts'
import {type TestRepository, temporaryRepository, testRepository} from '../support/git.ts'
import {publisherAt, toolText} from '../support/publisher.ts'

const run = promisify(execFile)

async function whole({git}: TestRepository) {
  await git('fsck', '--strict', '--no-dangling')
  equal(await git('status', '--porcelain'), '')
}

/** A small disk of its own, undefined where this user may mount none. */
async function smallDisk(context: TestContext): Promise<string | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'handrail-disk-'))
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', directory]).then(
    () => true,
    () => false,
  )
  context.after(async () => {
    if (mounted) await run('umount', ['--lazy', directory])
    await rmdir(directory)
  })
  if (!mounted) return undefined
  return directory
}

test('a full disk gives one clear error, loses nothing, and is no obstacle later', async (context) => {
  const directory = await smallDisk(context)
  if (directory === undefined) return context.skip('this user cannot mount a small disk')
  const repository = testRepository(directory)
  await repository.git('init', '--quiet')
  const {publisher, publish, head} = await publisherAt(context, repository)
  const {commit} = await publish({'tool/a.json': 'first'})
  await publisher.settled()
  const ballast = join(directory, '.git/ballast')
  await writeFile(ballast, Buffer.alloc(4_000_000)).catch(() => {})
  await rejects(publish({'tool/a.json': 'x'.repeat(100_000)}), (error: unknown) => {
    ok(error instanceof PublishError, String(error))
    match(error.message, /^the content repository cannot be written: .*no space left on device/i)
    return true
  })
  equal(await head(), commit)
  await publisher.settled()
  await writeFile(ballast, '')
  await publish({'tool/a.json': 'second'})
  await publisher.settled()
  equal(await repository.git('show', 'HEAD:tool/a.json'), 'second')
  await whole(repository)
  const leftovers = (await readdir(join(directory, '.git/objects'), {recursive: true})).filter((name) =>
    name.includes('tmp_obj_'),
  )
  equal(leftovers.length, 0)
})

test('a disk that is mounted read-only gives one clear error and loses nothing', async (context) => {
  const directory = await smallDisk(context)
  if (directory === undefined) return context.skip('this user cannot mount a small disk')
  const repository = testRepository(directory)
  await repository.git('init', '--quiet')
  const {publisher, publish, head} = await publisherAt(context, repository)
  const {commit} = await publish({'tool/a.json': 'first'})
  await publisher.settled()
  await run('mount', ['-o', 'remount,ro', directory])
  await rejects(publish({'tool/a.json': 'second'}), (error: unknown) => {
    ok(error instanceof PublishError, String(error))
    match(error.message, /^the content repository cannot be written: EROFS/)
    return true
  })
  await publisher.settled()
  await run('mount', ['-o', 'remount,rw', directory])
  equal(await head(), commit)
  await publish({'tool/a.json': 'third'})
  await publisher.settled()
  await whole(repository)
})

test('a folder that may not be written gives one clear error', async (context) => {
  if (process.getuid?.() === 0) return context.skip('root may write everywhere')
  const repository = await temporaryRepository(context)
  const before = await repository.commit({'tool/a.json': 'first'})
  const {publish, head} = await publisherAt(context, repository)
  const objects = join(repository.directory, '.git/objects')
  await chmod(objects, 0o500)
  const refused = publish({'tool/a.json': 'second'}).finally(() => chmod(objects, 0o700))
  await rejects(refused, /^Error: the content repository cannot be written: EACCES/)
  equal(await head(), before)
})

test('a branch whose commit is broken gives one clear error', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'first'})
  const {publisher} = await publisherAt(context, repository)
  const missing = '1234567890'.repeat(4)
  await writeFile(join(repository.directory, '.git/refs/heads/main'), `${missing}\n`)
  const files = new Map([['tool/a.json', 'second']])
  const author = {name: 'Ada', email: 'ada@example.com'}
  await rejects(publisher.publish(missing, {files, author, message: 'Late', seconds: 1}), PublishError)
})

test('a process that is killed while it publishes leaves a whole repository, and every publication it told of', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit(Object.fromEntries(Array.from({length: 50}, (_, i) => [`tool/t${i}.json`, 'seed'])))
  const script = fileURLToPath(new URL('../support/publish-forever.ts', import.meta.url))
  for (let round = 0; round < 5; round += 1) {
    const child = fork(script, [repository.directory, String(round)], {execArgv: ['--import', 'tsx']})
    let told = ''
    let count = 0
    const enough = 1 + Math.floor(Math.random() * 6)
    await new Promise<void>((resolve, reject) => {
      child.on('message', (commit) => {
        told = String(commit)
        count += 1
        // Some time after a publication, so that the next one is under way.
        if (count === enough) setTimeout(() => child.kill('SIGKILL'), Math.random() * 25)
      })
      child.on('error', reject)
      child.on('exit', (code) => (code === null ? resolve() : reject(new Error(`ended by itself: ${code}`))))
    })
    notEqual(told, '')
    const {publisher, publish, warnings} = await publisherAt(context, repository)
    await repository.git('merge-base', '--is-ancestor', told, 'HEAD')
    equal(warnings.length, 0, JSON.stringify(warnings))
    await whole(repository)
    await publish({'tool/after.json': toolText('after', round)})
    await publisher.close()
    await whole(repository)
  }
})
