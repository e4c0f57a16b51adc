import {deepEqual, equal} from 'node:assert/strict'
import {rename} from 'node:fs/promises'
import {type TestContext, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {openContentDirectory} from '../../../../lake/git/openContentDirectory.ts'
import {HeadFollower} from '../../../../lake/git/read/headFollower.ts'
import {readHead} from '../../../../lake/git/read/lsTree.ts'
import {eventually, SOON} from '../../../support/eventually.ts'
import {temporaryRepository} from '../../support/git.ts'
import {recordingLogger} from '../../support/log.ts'

/** Follows a repository with one commit, and records the heads it is notified of. */
async function follow(t: TestContext) {
  const repository = await temporaryRepository(t)
  await repository.commit({'post/a.json': {_id: 'a', _type: 'post'}})
  const folder = await openContentDirectory(repository.directory)
  const {logger, warnings} = recordingLogger()
  const heads: (string | undefined)[] = []
  let running = 0
  const refresh = async () => {
    running += 1
    equal(running, 1)
    heads.push(await readHead(folder.root))
    await setTimeout(30)
    running -= 1
  }
  const follower = new HeadFollower(
    folder,
    () =>
      refresh().catch((error: unknown) => {
        running = 0
        throw error
      }),
    logger,
  )
  follower.start()
  t.after(() => follower.stop())
  const until = (condition: () => boolean) => eventually(async () => condition(), Boolean, SOON)
  return {repository, heads, warnings, follower, until}
}

test('each move of HEAD is handled once, one at a time', async (t) => {
  const {repository, heads, until} = await follow(t)
  await until(() => heads.length === 1)
  const commit = await repository.commit({'post/a.json': {_id: 'a', _type: 'post', n: 1}})
  await until(() => heads.at(-1) === commit)
  const looks = heads.length
  await setTimeout(500)
  equal(heads.length, looks)
})

test('a missing repository is logged once and followed again when it is back', async (t) => {
  const {repository, heads, warnings, until} = await follow(t)
  await until(() => heads.length === 1)
  const away = `${repository.directory}-away`
  await rename(repository.directory, away)
  await until(() => warnings.length === 1)
  await setTimeout(700)
  deepEqual(
    warnings.map(({msg}) => msg),
    ['content repository unreadable; serving its last good state'],
  )
  await rename(away, repository.directory)
  const commit = await repository.commit({'post/a.json': {_id: 'a', _type: 'post', n: 1}})
  await until(() => heads.at(-1) === commit)
})

test('a stopped follower does not check any more', async (t) => {
  const {repository, heads, follower, until} = await follow(t)
  await until(() => heads.length === 1)
  await follower.stop()
  await repository.commit({'post/a.json': {_id: 'a', _type: 'post', n: 1}})
  await setTimeout(400)
  equal(heads.length, 1)
})
