import {rejects} from 'node:assert/strict'
import {fork} from 'node:child_process'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {acquireLock} from '../../../git/lock/repositoryLock.ts'
import {temporaryFolder} from '../../lake/support/git.ts'

test('a new lake takes over the lock of a killed one immediately', async (context) => {
  const folder = await temporaryFolder(context)
  const script = fileURLToPath(new URL('../../lake/support/processes/holdLock.ts', import.meta.url))
  const child = fork(script, [folder])
  await new Promise((resolve) => child.once('message', resolve))
  await rejects(acquireLock(folder, 'a test'), new RegExp(`process ${child.pid} on`))
  const dead = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await dead
  const lock = await acquireLock(folder, 'a test')
  await lock.release()
})
