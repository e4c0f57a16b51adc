import assert from 'node:assert/strict'
import {stat} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {setImmediate} from 'node:timers/promises'
import {LockTimeout, withFileLock} from '../../../../lake/access/credentials/fileLock.ts'
import {temporaryFolder} from '../../support/git.ts'

test('work under the lock does not overlap within one process', async (t) => {
  const path = join(await temporaryFolder(t), 'lock')
  let inside = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++inside)
    await setImmediate()
    inside--
  }
  await Promise.all(Array.from({length: 5}, () => withFileLock(path, work)))
  assert.equal(most, 1)
})

test('waiting for the lock ends at a deadline, and failed work releases it', async (t) => {
  const path = join(await temporaryFolder(t), 'lock')
  const holder = withFileLock(path, async () => {
    await assert.rejects(
      withFileLock(path, async () => {}, 0),
      LockTimeout,
    )
    throw new Error('broken')
  })
  await assert.rejects(holder, /broken/)
  assert.equal(await withFileLock(path, async () => 'mine', 0), 'mine')
  assert.equal((await stat(path)).size, 0)
})
