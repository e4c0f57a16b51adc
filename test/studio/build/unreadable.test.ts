import assert from 'node:assert/strict'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {unreadable} from '../../../studio/build/build.ts'
import {temporaryFolder} from '../../lake/support/git.ts'

test('a Studio that cannot be read is told apart from one that is not there', async (t) => {
  const directory = await temporaryFolder(t)
  assert.equal(await unreadable(join(directory, 'missing')), undefined)
  await writeFile(join(directory, '.fingerprint'), 'x')
  assert.equal(await unreadable(directory), undefined)
  // Root may read any file, so that this stands for a wrong mode.
  await mkdir(join(directory, 'broken/.fingerprint'), {recursive: true})
  assert.match(String(await unreadable(join(directory, 'broken'))), /^EISDIR/)
})
