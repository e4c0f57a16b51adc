import {deepEqual, equal} from 'node:assert/strict'
import {mkdir, rename, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import type {ContentDirectory} from '../../../git/contentDirectory.ts'
import {HeadFollower, type HeadFollowerOptions} from '../../../git/headFollower.ts'
import {temporaryFolder} from '../../lake/support/git.ts'
import {recordingLogger} from '../../lake/support/log.ts'
import {eventually} from '../../support/eventually.ts'

/** Milliseconds between two checks. */
const CHECK_INTERVAL = 5
/** Milliseconds in which a follower that checks does so several times. */
const CHECKS = 60

const BRANCH = 'refs/heads/main'

/** Replaces a file as Git does: at once. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.lock`, text)
  await rename(`${path}.lock`, path)
}

/** Follows files like those of Git, and records how often it was notified. */
async function follow(t: TestContext, options: HeadFollowerOptions = {}, refreshed = async () => {}) {
  const gitDir = join(await temporaryFolder(t), 'content.git')
  await mkdir(join(gitDir, 'refs/heads'), {recursive: true})
  await writeFile(join(gitDir, 'HEAD'), `ref: ${BRANCH}\n`)
  const commit = (digit: string) => replace(join(gitDir, BRANCH), `${digit.repeat(40)}\n`)
  await commit('1')
  let checks = 0
  const folder: ContentDirectory = {
    get root() {
      checks += 1
      return gitDir
    },
    gitDir,
    isBare: true,
    format: 'sha1',
  }
  const {logger, warnings} = recordingLogger()
  let refreshes = 0
  const refresh = async () => {
    refreshes += 1
    await refreshed()
  }
  const follower = new HeadFollower(folder, refresh, logger, {
    checkInterval: CHECK_INTERVAL,
    askEvery: 600_000,
    ...options,
  })
  follower.start()
  t.after(() => follower.stop())
  const until = (condition: () => boolean) => eventually(async () => condition(), Boolean)
  await until(() => refreshes > 0)
  /** Waits until a check that begins from now on is over: the next one begins. */
  const checked = async () => {
    const before = checks
    await until(() => checks > before + 1)
  }
  return {gitDir, commit, follower, warnings, until, checked, refreshes: () => refreshes}
}

test('a start refreshes, and so does each move of HEAD', async (t) => {
  const {gitDir, commit, until, checked, refreshes} = await follow(t)
  const moves = [
    () => commit('2'),
    () => replace(join(gitDir, 'HEAD'), 'ref: refs/heads/other\n'),
    () => replace(join(gitDir, 'packed-refs'), `${'3'.repeat(40)} refs/heads/other\n`),
  ]
  for (const move of moves) {
    const before = refreshes()
    await move()
    // A move in the middle of a check is noticed twice.
    await until(() => refreshes() > before)
    await checked()
  }
  const before = refreshes()
  await checked()
  equal(refreshes(), before)
})

test('refreshes do not overlap', async (t) => {
  const {promise: refreshing, resolve: end} = Promise.withResolvers<void>()
  const {commit, until, refreshes} = await follow(t, {}, () => refreshing)
  await commit('2')
  await setTimeout(CHECKS) // nothing reports that a check is not made
  equal(refreshes(), 1)
  end()
  await until(() => refreshes() === 2)
})

test('Git is asked from time to time, even if no file has changed', async (t) => {
  const {until, refreshes} = await follow(t, {askEvery: 10})
  await until(() => refreshes() > 3)
})

test('a missing repository is logged once, and followed again when it is back', async (t) => {
  let isMissing = false
  const {gitDir, follower, warnings, until, refreshes} = await follow(t, {retryAfter: 10}, async () => {
    if (isMissing) throw new Error('missing')
  })
  isMissing = true
  await rename(gitDir, `${gitDir}-away`)
  await until(() => refreshes() > 4)
  equal(follower.failing, true)
  deepEqual(
    warnings.map(({msg}) => msg),
    ['content repository unreadable; serving its last good state'],
  )
  isMissing = false
  await rename(`${gitDir}-away`, gitDir)
  await until(() => !follower.failing)
})

test('a stopped follower does not check any more', async (t) => {
  const {commit, follower, refreshes} = await follow(t)
  await follower.stop()
  await commit('2')
  await setTimeout(CHECKS) // nothing reports that a check is not made
  equal(refreshes(), 1)
})
