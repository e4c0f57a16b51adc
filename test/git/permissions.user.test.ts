import {equal, rejects} from 'node:assert/strict'
import {chmod} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {temporaryRepository} from '../lake/support/git.ts'
import {publisherAt} from '../lake/support/publisher.ts'

test('a folder without write permission gives one clear error', async (context) => {
  const repository = await temporaryRepository(context)
  const before = await repository.commit({'tool/a.json': 'first'})
  const {publish, head} = await publisherAt(context, repository)
  const objects = join(repository.directory, 'objects')
  await chmod(objects, 0o500)
  const refused = publish({'tool/a.json': 'second'}).finally(() => chmod(objects, 0o700))
  await rejects(refused, /^Error: the content repository is not writable: EACCES/)
  equal(await head(), before)
})
