import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {closeSync, openSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {eventually} from './support/eventually.ts'
import {freePort} from './support/network/ports.ts'

const PROGRAMS = [
  {name: 'service', path: 'service/main.ts', portVariable: 'PORT'},
  {name: 'lake', path: 'lake/main.ts', portVariable: 'LAKE_PORT'},
]

for (const {name, path, portVariable} of PROGRAMS) {
  test(`a ${name} whose log goes to a full disk serves requests, says so, and stops on SIGTERM`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'handrail-full-log-'))
    const port = await freePort()
    const log = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [join(import.meta.dirname, '..', path)], {
      cwd: folder,
      env: {...process.env, [portVariable]: String(port), NODE_TEST_CONTEXT: undefined},
      stdio: ['ignore', log, 'inherit'],
    })
    closeSync(log)
    const ended = once(child, 'exit')
    t.after(async () => {
      child.kill('SIGKILL')
      await ended
      await rm(folder, {recursive: true})
    })
    const ask = (route: string) => fetch(`http://127.0.0.1:${port}${route}`).catch(() => undefined)
    await eventually(
      () => ask('/healthz'),
      (response) => response?.status === 200,
    )
    const text = async (route: string) => (await ask(route))?.text() ?? ''
    await eventually(() => text('/readyz'), /The log cannot be written: \d+ lines were lost/)
    assert.match(await text('/metrics'), /log_lines_lost_total [1-9]/)
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })
}
