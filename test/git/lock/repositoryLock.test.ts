import {deepEqual, ok, rejects} from 'node:assert/strict'
import {readdir, rm} from 'node:fs/promises'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {acquireLock} from '../../../git/lock/repositoryLock.ts'
import {temporaryFolder} from '../../lake/support/git.ts'

test('one lake at a time holds a repository, and the error names the holder', async (context) => {
  const folder = await temporaryFolder(context)
  const lock = await acquireLock(folder, 'a test')
  await rejects(acquireLock(folder, 'a second one'), (error: unknown) => {
    ok(error instanceof Error)
    const start = `the content repository is in use by a test (process ${process.pid} on ${hostname()}, since 20`
    ok(error.message.startsWith(start), error.message)
    return true
  })
  await lock.release()
  await (await acquireLock(folder, 'the next')).release()
  deepEqual(await readdir(join(folder, 'handrail')), ['lake.lock'])
})

test('an unwritable folder is named in the error', async (context) => {
  const folder = await temporaryFolder(context)
  await rm(folder, {recursive: true})
  await rejects(acquireLock(folder, 'a test'), /^Error: the content repository cannot be locked: ENOENT/)
})

test('the holder in the error is unknown if its name could not be written', async (context) => {
  const folder = await temporaryFolder(context)
  const lock = await acquireLock(folder, 'a test')
  await rm(join(folder, 'handrail/lake.holder'))
  await rejects(acquireLock(folder, 'a second one'), /in use by an unknown process: stop it/)
  await lock.release()
})
