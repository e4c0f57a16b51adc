import {equal, match, ok, rejects} from 'node:assert/strict'
import {readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {PublishError} from '../../git/errors.ts'
import {type TestRepository, testRepository} from '../lake/support/git.ts'
import {publisherAt} from '../lake/support/publisher.ts'
import {smallDisk} from '../support/smallDisk.ts'

async function whole({git}: TestRepository) {
  await git('fsck', '--strict', '--no-dangling')
}

test('a full disk gives one clear error, loses nothing, and causes no problem once it has space', async (context) => {
  const disk = await smallDisk(context, 2)
  const repository = testRepository(disk.folder)
  await repository.git('init', '--quiet', '--bare')
  const {publish, head} = await publisherAt(context, repository)
  const {commit} = await publish({'tool/a.json': 'first'})
  await disk.fill()
  await rejects(publish({'tool/a.json': 'x'.repeat(100_000)}), (error: unknown) => {
    ok(error instanceof PublishError, String(error))
    match(error.message, /^the content repository is not writable: .*no space left on device/i)
    return true
  })
  equal(await head(), commit)
  await disk.free()
  await publish({'tool/a.json': 'second'})
  equal(await repository.git('show', 'HEAD:tool/a.json'), 'second')
  await whole(repository)
  const leftovers = (await readdir(join(disk.folder, 'objects'), {recursive: true})).filter((name) =>
    name.includes('tmp_obj_'),
  )
  equal(leftovers.length, 0)
})

test('a read-only disk gives one clear error and loses nothing', async (context) => {
  const disk = await smallDisk(context, 2)
  const repository = testRepository(disk.folder)
  await repository.git('init', '--quiet', '--bare')
  const {publish, head} = await publisherAt(context, repository)
  const {commit} = await publish({'tool/a.json': 'first'})
  await disk.makeReadOnly()
  await rejects(publish({'tool/a.json': 'second'}), (error: unknown) => {
    ok(error instanceof PublishError, String(error))
    match(error.message, /^the content repository is not writable: EROFS/)
    return true
  })
  await disk.makeWritable()
  equal(await head(), commit)
  await publish({'tool/a.json': 'third'})
  await whole(repository)
})
