import assert from 'node:assert/strict'
import {mkdtemp, readdir, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {writeSites} from '../../bench/check/sites.ts'
import {check} from '../../cli/check/check.ts'
import {readWorkTree} from '../../cli/source/workTree.ts'

test('a check finds nothing wrong with generated sites, which have no text twice', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-check-'))
  t.after(() => rm(folder, {recursive: true, force: true, maxRetries: 3}))
  await writeSites(folder, 2)
  const {documents, findings} = await check(await readWorkTree(folder))
  assert.equal(documents, 22)
  assert.deepEqual(findings, [])
  const scripts = (await readdir(join(folder, 'tool'))).filter((name) => name.endsWith('.js'))
  const texts = await Promise.all(scripts.map((name) => readFile(join(folder, 'tool', name), 'utf8')))
  assert.equal(scripts.length, 12)
  assert.equal(new Set(texts).size, 12)
})
