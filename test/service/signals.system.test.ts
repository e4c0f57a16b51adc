import assert from 'node:assert/strict'
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {hostname, tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {recordOf} from '../support/answers.ts'
import {eventually} from '../support/eventually.ts'
import {freePort} from '../support/network/ports.ts'

const main = fileURLToPath(new URL('../../service/main.ts', import.meta.url))

/** Runs the program of `npm run service` without a lake: it still has to shut down. */
async function runService(
  t: TestContext,
): Promise<{child: ChildProcess; port: number; said(): string; statusOf(path: string): Promise<number>}> {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-signals-'))
  const port = await freePort()
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      SANITY_API_HOST: 'http://127.0.0.1:1',
      SNAPSHOT_DIR: dir,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let said = ''
  child.stdout.on('data', (text: Buffer) => {
    said += text.toString()
  })
  t.after(async () => {
    child.kill('SIGKILL')
    await rm(dir, {recursive: true, force: true})
  })
  const statusOf = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    await response.arrayBuffer()
    return response.status
  }
  await eventually(() => statusOf('/healthz').catch(() => 0), 200, 60)
  return {child, port, said: () => said, statusOf}
}

test('SIGTERM drains: not ready, but live and responding; a second signal ends it at once', async (t) => {
  const {child, statusOf} = await runService(t)
  child.kill('SIGTERM')
  await eventually(() => statusOf('/readyz'), 503, 10)
  assert.equal(await statusOf('/healthz'), 200)
  assert.equal(await statusOf('/snippet.js'), 200)
  assert.equal(child.exitCode, null)
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await exit, [1, null])
})

test('each log line names the replica: its host and its port', async (t) => {
  const {port, said} = await runService(t)
  const lines = said().trim().split('\n')
  assert.ok(lines.length > 0)
  for (const line of lines) assert.equal(recordOf(JSON.parse(line)).replica, `${hostname()}:${port}`, line)
})

test('SIGINT, as sent by Ctrl+C, does not drain', {timeout: 45_000}, async (t) => {
  const {child} = await runService(t)
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  assert.deepEqual(await exit, [0, null])
})
