import assert from 'node:assert/strict'
import {rename, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {IS_DEEP} from '../../runner/runs.ts'
import {LakeProcess} from '../../soak/process.ts'
import {eventually} from '../../support/eventually.ts'
import {token} from '../support/app.ts'
import {createRepository, temporaryFolder, testRepository} from '../support/git.ts'
import {act, documentAt} from '../support/mutate.ts'

const ROUNDS = IS_DEEP ? 60 : 3
const NOTES = 20

const HOUR = 3_600_000

/** Milliseconds after a release is due in which the lake is killed: it looks at the clock once a second. */
const LATEST_KILL = 1_500

test('a release that is scheduled is published whole and once, whenever its lake is killed', async (t) => {
  const folder = await temporaryFolder(t)
  const contentDir = join(folder, 'content.git')
  const {git} = testRepository(contentDir)
  await createRepository(contentDir)
  const clockFile = join(folder, 'clock')
  let passed = 0
  const pass = async (milliseconds: number) => {
    passed += milliseconds
    await writeFile(`${clockFile}.new`, `${passed} 0`)
    await rename(`${clockFile}.new`, clockFile)
  }
  await pass(0)
  const start = () => {
    const lake = new LakeProcess({CONTENT_DIR: contentDir, LAKE_API_TOKEN: token, CLOCK_FILE: clockFile})
    t.after(() => lake.kill(true))
    return lake
  }
  let lake = start()
  for (let round = 0; round < ROUNDS; round += 1) {
    const releaseId = `r${round}`
    const address = await lake.address
    const versions = Array.from({length: NOTES}, (_, note) => ({
      actionType: 'sanity.action.document.version.create',
      publishedId: `note-${note}`,
      document: {_id: `versions.${releaseId}.note-${note}`, _type: 'note', round},
    }))
    const done = async (...actions: object[]) => {
      const {status, text} = await act(address, actions)
      assert.equal(status, 200, text)
    }
    await done({actionType: 'sanity.action.release.create', releaseId}, ...versions)
    const publishAt = new Date(Date.now() + passed + HOUR).toISOString()
    await done({actionType: 'sanity.action.release.schedule', releaseId, publishAt})
    await pass(HOUR)
    await setTimeout((round / (ROUNDS - 1)) * LATEST_KILL) // the moment of the kill
    await lake.kill(true)

    lake = start()
    const next = await lake.address
    await eventually(async () => (await documentAt(next, `_.releases.${releaseId}`))?.state, 'published')
    const notes = await Promise.all(versions.map(({publishedId}) => documentAt(next, publishedId)))
    assert.deepEqual(new Set(notes.map((note) => note?.round)), new Set([round]))
    const commits = await git('log', '--format=%h', `--grep=^Release: ${releaseId}$`)
    assert.equal(commits.trim().split('\n').length, 1, commits)
  }
  assert.equal((await git('fsck', '--strict', '--no-dangling')).trim(), '')
})
