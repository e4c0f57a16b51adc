import {equal, match, ok, rejects} from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {mkdtemp, readdir, rmdir, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {promisify} from 'node:util'
import {PublishError} from '../../git/errors.ts'
import {type TestRepository, testRepository} from '../lake/support/git.ts'
import {publisherAt} from '../lake/support/publisher.ts'

const run = promisify(execFile)

async function whole({git}: TestRepository) {
  await git('fsck', '--strict', '--no-dangling')
}

/** A small separate disk. */
async function smallDisk(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'handrail-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', directory])
  context.after(async () => {
    await run('umount', ['--lazy', directory])
    await rmdir(directory)
  })
  return directory
}

test('a full disk gives one clear error, loses nothing, and causes no problem once it has space', async (context) => {
  const directory = await smallDisk(context)
  const repository = testRepository(directory)
  await repository.git('init', '--quiet', '--bare')
  const {publish, head} = await publisherAt(context, repository)
  const {commit} = await publish({'tool/a.json': 'first'})
  const ballast = join(directory, 'ballast')
  await writeFile(ballast, Buffer.alloc(4_000_000)).catch(() => {})
  await rejects(publish({'tool/a.json': 'x'.repeat(100_000)}), (error: unknown) => {
    ok(error instanceof PublishError, String(error))
    match(error.message, /^the content repository is not writable: .*no space left on device/i)
    return true
  })
  equal(await head(), commit)
  await writeFile(ballast, '')
  await publish({'tool/a.json': 'second'})
  equal(await repository.git('show', 'HEAD:tool/a.json'), 'second')
  await whole(repository)
  const leftovers = (await readdir(join(directory, 'objects'), {recursive: true})).filter((name) =>
    name.includes('tmp_obj_'),
  )
  equal(leftovers.length, 0)
})

test('a read-only disk gives one clear error and loses nothing', async (context) => {
  const directory = await smallDisk(context)
  const repository = testRepository(directory)
  await repository.git('init', '--quiet', '--bare')
  const {publish, head} = await publisherAt(context, repository)
  const {commit} = await publish({'tool/a.json': 'first'})
  await run('mount', ['-o', 'remount,ro', directory])
  await rejects(publish({'tool/a.json': 'second'}), (error: unknown) => {
    ok(error instanceof PublishError, String(error))
    match(error.message, /^the content repository is not writable: EROFS/)
    return true
  })
  await run('mount', ['-o', 'remount,rw', directory])
  equal(await head(), commit)
  await publish({'tool/a.json': 'third'})
  await whole(repository)
})
