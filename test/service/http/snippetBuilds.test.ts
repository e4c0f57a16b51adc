import assert from 'node:assert/strict'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {ReplicaDatabase} from '../../../service/database.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {compressedScript, type PageScript} from '../../../service/http/pageScripts.ts'
import {earlierBuilds} from '../../../service/http/snippetBuilds.ts'
import {digestOf} from '../../../snippet/build/built.ts'
import {temporaryFolder} from '../../lake/support/git.ts'

function build(text: string): Promise<PageScript> {
  return compressedScript({text, hash: digestOf(text).hash})
}

/** Starts with a build. Returns the builds, and which operations failed. */
async function start(t: TestContext, dir: string, text: string) {
  const events = createServiceEvents()
  const failed: string[] = []
  events.on('snapshotFailed', (action) => failed.push(action))
  const database = new ReplicaDatabase(join(dir, 'counts.db'))
  t.after(() => database.close())
  const builds = await earlierBuilds(database, await build(text), events)
  return {builds: [...builds.values()].map(({identity}) => String(identity)), failed, database}
}

test('builds of earlier starts are found, up to a number, and the least recently used go', async (t) => {
  const dir = await temporaryFolder(t)
  const names = Array.from({length: 20}, (_, number) => `build${number}()`)
  for (const name of names) await start(t, dir, name)
  // The downgrade uses it again.
  await start(t, dir, 'build0()')
  const {builds, failed, database} = await start(t, dir, 'c()')
  assert.deepEqual([builds.length, builds.at(-1), builds[0], failed], [19, 'build0()', 'build2()', []])
  database.rows('UPDATE snippets SET text = ? RETURNING 1', 'evil()')
  assert.deepEqual(
    (await start(t, dir, 'c()')).builds,
    [],
    'what is not the build of its name is never served',
  )
})

test('without a usable folder, the service has its own build, and reports it', async (t) => {
  const dir = join(await temporaryFolder(t), 'a-file')
  await writeFile(dir, '')
  const {builds, failed} = await start(t, dir, 'b()')
  assert.deepEqual(builds, [])
  assert.ok(failed.includes('write'))
})
