import {deepEqual, ok, rejects} from 'node:assert/strict'
import {mkdir, readdir, readFile, rm, utimes, writeFile} from 'node:fs/promises'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {acquireLock, LockError} from '../../../git/lock/repositoryLock.ts'
import {temporaryFolder} from '../../lake/support/git.ts'

/** The lock file of a lake of version 0.1. */
async function earlierLock(context: TestContext) {
  const folder = await temporaryFolder(context)
  await mkdir(join(folder, 'handrail'))
  const file = join(folder, 'handrail/lock')
  const since = '2026-01-01T00:00:00.000Z'
  await writeFile(file, JSON.stringify({token: 't', who: 'the lake', pid: 7, host: 'elsewhere', since}))
  return {folder, file}
}

test('one lake at a time holds a repository, and the error names the holder', async (context) => {
  const folder = await temporaryFolder(context)
  const lock = await acquireLock(folder, 'a test')
  await rejects(acquireLock(folder, 'a second one'), (error: unknown) => {
    ok(error instanceof LockError)
    const start = `the content repository is in use by a test (process ${process.pid} on ${hostname()}, since 20`
    ok(error.message.startsWith(start), error.message)
    return true
  })
  await lock.release()
  await (await acquireLock(folder, 'the next')).release()
  deepEqual(await readdir(join(folder, 'handrail')), ['lake.lock', 'lock'])
})

test('a lake of version 0.1 keeps its lock as long as it is alive', async (context) => {
  const {folder, file} = await earlierLock(context)
  const beating = setInterval(() => utimes(file, new Date(), new Date()).catch(() => {}), 20)
  context.after(() => clearInterval(beating))
  await rejects(acquireLock(folder, 'a test'), /in use by the lake \(process 7 on elsewhere, since 2026/)
  clearInterval(beating)
  await (await acquireLock(folder, 'a test', 100)).release()
})

test('a lake of version 0.1 that closes meanwhile is succeeded', async (context) => {
  const {folder, file} = await earlierLock(context)
  const taking = acquireLock(folder, 'a test')
  await rm(file)
  await (await taking).release()
})

test('an unwritable folder is named in the error', async (context) => {
  const folder = await temporaryFolder(context)
  await rm(folder, {recursive: true})
  await rejects(acquireLock(folder, 'a test'), /^Error: the content repository cannot be locked: ENOENT/)
})

test('the holder in the error is unknown if its name could not be written', async (context) => {
  const folder = await temporaryFolder(context)
  const lock = await acquireLock(folder, 'a test')
  await rm(join(folder, 'handrail/lock/holder'))
  await rejects(acquireLock(folder, 'a second one'), /in use by an unknown process: stop it/)
  await lock.release()
})

test('a lake of version 0.1 cannot lock a repository that a later version has used', async (context) => {
  const {folder, file} = await earlierLock(context)
  await (await acquireLock(folder, 'a test', 0)).release()
  // It creates the file, or else reads it.
  await rejects(writeFile(file, '', {flag: 'wx'}), {code: 'EEXIST'})
  await rejects(readFile(file), {code: 'EISDIR'})
})
