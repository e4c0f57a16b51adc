import assert from 'node:assert/strict'
import {mkdir, mkdtemp, readdir, readFile, rm, stat} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {atomicWrite} from '../../common/atomicWrite.ts'

test('a file is replaced with its permissions, and a write that fails leaves no temporary file', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-write-'))
  t.after(() => rm(folder, {recursive: true}))
  const path = join(folder, 'state')
  await atomicWrite(path, 'first', {mode: 0o600, prefix: '.new-'})
  await atomicWrite(path, 'second', {mode: 0o600, prefix: '.new-'})
  assert.equal(await readFile(path, 'utf8'), 'second')
  assert.equal((await stat(path)).mode & 0o777, 0o600)

  const directory = join(folder, 'directory')
  await mkdir(directory)
  await assert.rejects(atomicWrite(directory, 'third', {mode: 0o600, prefix: '.new-'}))
  assert.deepEqual((await readdir(folder)).sort(), ['directory', 'state'])
})
