import {deepEqual, equal, match, ok, rejects} from 'node:assert/strict'
import {mkdir, readdir, readFile, rm, utimes, writeFile} from 'node:fs/promises'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {acquireLock, LockError, type LockOptions} from '../../../git/lock/repositoryLock.ts'
import {temporaryFolder} from '../../lake/support/git.ts'
import {eventually} from '../../support/eventually.ts'

const short = {beat: 20, maxSilence: 200}

async function lockAt(context: TestContext, folder: string, options: LockOptions = short) {
  const lock = await acquireLock(folder, 'a test', options)
  context.after(() => lock.release().catch(() => {}))
  return lock
}

/** A lock file left by a process on another host. */
async function foreignLock(folder: string, changes: Record<string, unknown> = {}) {
  await mkdir(join(folder, 'handrail'), {recursive: true})
  const file = join(folder, 'handrail/lock')
  const holder = {
    token: 't',
    who: 'another lake',
    pid: 7,
    host: 'elsewhere',
    since: '2026-01-01T00:00:00.000Z',
    space: '',
    started: '',
    ...changes,
  }
  await writeFile(file, JSON.stringify(holder))
  return file
}

test('one lake at a time holds a repository, and the error names the holder', async (context) => {
  const folder = await temporaryFolder(context)
  const lock = await lockAt(context, folder)
  equal(lock.held, true)
  await rejects(acquireLock(folder, 'a second one', short), (error: unknown) => {
    ok(error instanceof LockError)
    match(
      error.message,
      /^the content repository is in use by a test \(process \d+ on .+, since 20.+Z\): stop it/,
    )
    ok(error.message.includes(`process ${process.pid} on ${hostname()}`))
    return true
  })
  await lock.release()
  await (await acquireLock(folder, 'the next', short)).release()
  deepEqual(await readdir(join(folder, 'handrail')), [])
})

test('another process with the pid of a dead holder is not mistaken for it', async (context) => {
  const folder = await temporaryFolder(context)
  await (await acquireLock(folder, 'for its place', short)).release()
  const own = await acquireLock(folder, 'for its place', short)
  const text = await readFile(join(folder, 'handrail/lock'), 'utf8')
  await own.release()
  const holder: Record<string, unknown> = JSON.parse(text)
  await foreignLock(folder, {...holder, started: 'another boot 1'})
  // If the system cannot report process start times, only a missing heartbeat shows it.
  await lockAt(context, folder, holder.started === '' ? short : {maxSilence: 600_000})
})

test('a lock of another host is respected while its heartbeat lasts, and taken over afterwards', async (context) => {
  const folder = await temporaryFolder(context)
  const file = await foreignLock(folder)
  const beating = setInterval(() => utimes(file, new Date(), new Date()).catch(() => {}), 20)
  context.after(() => clearInterval(beating))
  const waits: string[] = []
  const onWait = (holder: string) => waits.push(holder)
  await rejects(
    acquireLock(folder, 'a test', {beat: 20, maxSilence: 600_000, onWait}),
    /in use by another lake \(process 7 on elsewhere, since 2026/,
  )
  clearInterval(beating)
  const lock = await lockAt(context, folder, short)
  equal(lock.held, true)
  deepEqual(waits, Array(1).fill('another lake (process 7 on elsewhere, since 2026-01-01T00:00:00.000Z)'))
})

test('an old lock of another host and an unreadable lock are taken over immediately', async (context) => {
  for (const text of [undefined, '', 'not JSON', '{}']) {
    const folder = await temporaryFolder(context)
    const file = await foreignLock(folder)
    if (text !== undefined) await writeFile(file, text)
    await utimes(file, 1_000, 1_000)
    const lock = await lockAt(context, folder, {
      onWait: () => {
        throw new Error('it waits')
      },
    })
    equal(lock.held, true)
  }
})

test('of many lakes that try to take over a dead holder’s lock, one succeeds', async (context) => {
  const folder = await temporaryFolder(context)
  for (let round = 0; round < 5; round += 1) {
    await utimes(await foreignLock(folder), 1_000, 1_000)
    const results = await Promise.allSettled(
      Array.from({length: 8}, () => acquireLock(folder, 'one of many')),
    )
    const locks = results.filter((result) => result.status === 'fulfilled').map(({value}) => value)
    equal(locks.length, 1)
    equal(await locks[0]?.confirm(), true)
    await locks[0]?.release()
    deepEqual(await readdir(join(folder, 'handrail')), [])
  }
})

test('a holder that lost its lock is notified and leaves it to its successor', async (context) => {
  const folder = await temporaryFolder(context)
  let lost = 0
  const lock = await lockAt(context, folder, {
    ...short,
    onLost: () => {
      lost += 1
    },
  })
  const file = await foreignLock(folder)
  await eventually(
    async () => lost,
    (count) => count > 0,
  )
  deepEqual([lock.held, await lock.confirm(), lost], [false, false, 1])
  await lock.release()
  match(await readFile(file, 'utf8'), /another lake/)
})

test('a claim file left by a crash does not block the lock', async (context) => {
  const folder = await temporaryFolder(context)
  const file = await foreignLock(folder)
  await utimes(file, 1_000, 1_000)
  await writeFile(`${file}.claim`, 'left')
  await utimes(`${file}.claim`, 1_000, 1_000)
  equal((await lockAt(context, folder)).held, true)
})

test('an unwritable folder is named in the error', async (context) => {
  const folder = await temporaryFolder(context)
  await rm(folder, {recursive: true})
  await rejects(acquireLock(folder, 'a test'), /^Error: the content repository cannot be locked: ENOENT/)
})
