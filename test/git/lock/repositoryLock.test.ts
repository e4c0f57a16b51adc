import {deepEqual, rejects} from 'node:assert/strict'
import {readdir, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {acquireLock} from '../../../git/lock/repositoryLock.ts'
import {temporaryFolder} from '../../lake/support/git.ts'

test('one lake at a time holds a repository', async (context) => {
  const folder = await temporaryFolder(context)
  const lock = await acquireLock(folder)
  await rejects(
    acquireLock(folder),
    /^Error: the content repository is in use by another lake or command: stop it/,
  )
  lock.release()
  const next = await acquireLock(folder)
  next.release()
  deepEqual(await readdir(join(folder, 'handrail')), ['lake.lock'])
})

test('an unwritable folder is named in the error', async (context) => {
  const folder = await temporaryFolder(context)
  await rm(folder, {recursive: true})
  await rejects(acquireLock(folder), /^Error: the content repository cannot be locked: ENOENT/)
})
