import assert from 'node:assert/strict'
import {readdir, utimes, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {createServiceEvents} from '../../../service/events.ts'
import {compressedScript, type PageScript} from '../../../service/http/pageScripts.ts'
import {earlierBuilds} from '../../../service/http/snippetBuilds.ts'
import {digestOf} from '../../../snippet/build/built.ts'
import {temporaryFolder} from '../../lake/support/git.ts'

function build(text: string): Promise<PageScript> {
  return compressedScript({text, hash: digestOf(text).hash})
}

/** Starts with a build. Returns the builds, and which operations failed. */
async function start(dir: string, current: PageScript, maxBuilds?: number) {
  const events = createServiceEvents()
  const failed: string[] = []
  events.on('snapshotFailed', (action) => failed.push(action))
  const builds = await earlierBuilds({dir, current, events, ...(maxBuilds !== undefined && {maxBuilds})})
  return {builds, failed}
}

/** Dates a build: file systems count time in steps, and tests take no time. */
function usedAt(dir: string, {hash}: PageScript, seconds: number): Promise<void> {
  return utimes(join(dir, `${hash}.js`), seconds, seconds)
}

test('builds of earlier starts are found by hash, up to a number, and the least recently used go', async (t) => {
  const dir = await temporaryFolder(t)
  const [a, b, c] = await Promise.all(['a()', 'b()', 'c()'].map(build))
  assert.ok(a && b && c)
  await start(dir, a)
  await usedAt(dir, a, 1_000)
  await start(dir, b)
  await usedAt(dir, b, 2_000)
  // The downgrade uses it again.
  await start(dir, a)
  const {builds, failed} = await start(dir, c, 2)
  assert.equal(builds.get(a.hash)?.identity.body.toString(), 'a()')
  assert.equal(builds.get(b.hash), undefined)
  assert.deepEqual((await readdir(dir)).sort(), [`${a.hash}.js`, `${c.hash}.js`].sort())
  assert.deepEqual(failed, [])
})

test('a file that is not the build of its name is never served', async (t) => {
  const dir = await temporaryFolder(t)
  const {hash} = digestOf('a()')
  await writeFile(join(dir, `${hash}.js`), 'evil()')
  await writeFile(join(dir, 'aside-0123'), 'a(')
  const {builds} = await start(dir, await build('b()'))
  assert.equal(builds.get(hash), undefined)
  assert.deepEqual(await readdir(dir), [`${digestOf('b()').hash}.js`])
})

test('without a usable folder, the service has its own build, and reports it', async (t) => {
  const dir = join(await temporaryFolder(t), 'a-file')
  await writeFile(dir, '')
  const {builds, failed} = await start(dir, await build('b()'))
  assert.equal(builds.get(digestOf('a()').hash), undefined)
  assert.deepEqual(failed, ['write', 'read'])
})
