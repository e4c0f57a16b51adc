import assert from 'node:assert/strict'
import {execFile, spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {eventually} from '../../support/eventually.ts'

const program = fileURLToPath(new URL('../../lake/support/processes/gitSeparately.ts', import.meta.url))

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('the process that runs Git keeps no process from ending', async () => {
  const {stdout} = await promisify(execFile)(process.execPath, [program, 'once'], {timeout: 60_000})
  assert.match(stdout, /^git version/)
})

test('options for Node are for the lake alone', async () => {
  const env = {...process.env, NODE_OPTIONS: '--import data:text/javascript,console.error(1)'}
  const {stdout, stderr} = await promisify(execFile)(process.execPath, [program, 'once'], {env})
  assert.match(stdout, /^git version/)
  assert.equal(stderr, '1\n')
})

test('when a lake is killed, the process that runs Git stops its commands and ends', async (t) => {
  const child = spawn(process.execPath, [program, 'hang'], {stdio: ['ignore', 'pipe', 'inherit']})
  t.after(() => child.kill('SIGKILL'))
  const [launcher]: string[] = await once(createInterface(child.stdout), 'line')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await eventually(
    async () => isRunning(Number(launcher)),
    (runs) => !runs,
  )
})
