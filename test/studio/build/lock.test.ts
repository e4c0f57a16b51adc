import {deepEqual, equal, rejects} from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {withLock} from '../../../studio/build/build.ts'

async function lockPath(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-lock-'))
  t.after(() => rm(folder, {recursive: true}))
  return join(folder, 'lock')
}

const {signal} = new AbortController()

test('work under one lock runs one after the other', async (t) => {
  const path = await lockPath(t)
  const said: string[] = []
  const work = (name: string) =>
    withLock(path, signal, async () => {
      said.push(`${name} begins`)
      await setTimeout(20) // longer than the other work needs to begin
      said.push(`${name} ends`)
    })
  await Promise.all([work('one'), work('two')])
  const [first = ''] = said[0]?.split(' ') ?? []
  const second = first === 'one' ? 'two' : 'one'
  deepEqual(said, [`${first} begins`, `${first} ends`, `${second} begins`, `${second} ends`])
})

test('work that fails releases the lock', async (t) => {
  const path = await lockPath(t)
  await rejects(
    withLock(path, signal, async () => {
      throw new Error('no')
    }),
  )
  equal(await withLock(path, signal, async () => 'done'), 'done')
})

test('the lock of a dead process is taken over', async (t) => {
  const path = await lockPath(t)
  const gone = spawn(process.execPath, ['--version'])
  await once(gone, 'exit')
  await writeFile(path, String(gone.pid))
  equal(await withLock(path, signal, async () => 'done'), 'done')
})

test('waiting can be aborted', async (t) => {
  const path = await lockPath(t)
  await writeFile(path, String(process.pid))
  await rejects(
    withLock(path, AbortSignal.timeout(50), async () => 'done'),
    {name: 'AbortError'},
  )
})
