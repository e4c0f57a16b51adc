import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {hostname, tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {recordOf} from '../support/answers.ts'
import {eventually} from '../support/eventually.ts'
import {freePort} from '../support/network/ports.ts'
import {runProgram} from '../support/program.ts'

const main = fileURLToPath(new URL('../../service/main.ts', import.meta.url))

/** Runs the program of `npm run service` without a lake: it still has to shut down. */
async function runService(t: TestContext) {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-signals-'))
  const port = await freePort()
  const {PATH} = process.env
  const program = runProgram(t, [process.execPath, main], {
    env: {PATH, PORT: String(port), SANITY_API_HOST: 'http://127.0.0.1:1', SNAPSHOT_DIR: dir},
  })
  t.after(() => rm(dir, {recursive: true, force: true}))
  const statusOf = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    await response.arrayBuffer()
    return response.status
  }
  await program.said(/service at http:/)
  // It is ready to be ended when it responds.
  assert.equal(await statusOf('/healthz'), 200)
  return {...program, port, statusOf}
}

test('SIGTERM drains: not ready, but live and responding; a second signal ends it at once', async (t) => {
  const {child, ended, statusOf} = await runService(t)
  child.kill('SIGTERM')
  await eventually(() => statusOf('/readyz'), 503)
  assert.equal(await statusOf('/healthz'), 200)
  assert.equal(await statusOf('/snippet.js'), 200)
  assert.equal(child.exitCode, null)
  child.kill('SIGTERM')
  assert.equal(await ended, 1)
})

test('each log line names the replica: its host and its port', async (t) => {
  const {port, output} = await runService(t)
  const lines = output().trim().split('\n')
  assert.ok(lines.length > 0)
  for (const line of lines) assert.equal(recordOf(JSON.parse(line)).replica, `${hostname()}:${port}`, line)
})

test('SIGINT, as sent by Ctrl+C, does not drain', async (t) => {
  const {child, ended} = await runService(t)
  child.kill('SIGINT')
  assert.equal(await ended, 0)
})
