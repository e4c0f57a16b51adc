import assert from 'node:assert/strict'
import {type ChildProcess, fork} from 'node:child_process'
import {once} from 'node:events'
import {cp, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {Journal} from '../../../content/drafts/journal.ts'
import {State} from '../../../content/state/state.ts'
import {temporaryFolder} from '../../lake/support/git.ts'

const ROUNDS = 10

const script = fileURLToPath(new URL('../../lake/support/processes/writeDrafts.ts', import.meta.url))

/** The numbers of the last drafts of a folder, by their id. */
async function countsIn(folder: string): Promise<Map<string, number>> {
  const state = State.open(folder)
  try {
    assert.equal(state.damage, undefined)
    const {drafts, steps} = await Journal.open(state, async () => false)
    for (const [id, {document}] of drafts) assert.deepEqual(steps.of(id).at(-1)?.after, document)
    return new Map(Array.from(drafts, ([id, {document}]) => [id, Number(document.count)]))
  } finally {
    state.close()
  }
}

/** Resolves once the kernel has stopped a process, where it says so. */
async function hasStopped(pid: number | undefined): Promise<void> {
  for (;;) {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') T')
    // The second field is the program's name in parentheses.
    if (text.slice(text.lastIndexOf(')')).startsWith(') T')) return
  }
}

test('a copy of the files at any moment, and the files after a kill, have every acknowledged draft', async (t) => {
  const base = await temporaryFolder(t)
  const folder = join(base, 'state')
  await cp(await temporaryFolder(t), folder, {recursive: true})
  let acknowledged = -1
  const start = (): ChildProcess => {
    const child = fork(script, [folder, `${acknowledged + 1}`])
    child.on('message', (count) => {
      acknowledged = Number(count)
    })
    return child
  }
  const checkAll = async (where: string, last: number) => {
    const counts = await countsIn(where)
    for (let count = Math.max(0, last - 19); count <= last; count += 1)
      assert.ok((counts.get(`drafts.${count % 20}`) ?? -1) >= count, `${count} of ${last}`)
  }
  let child = start()
  t.after(() => child.kill('SIGKILL'))
  await once(child, 'message')
  for (let round = 0; round < ROUNDS; round += 1) {
    await setTimeout(Math.random() * 30) // a random moment is what is tested
    // A stopped process makes the copy that of one moment, as a snapshot or a power cut.
    child.kill('SIGSTOP')
    await hasStopped(child.pid)
    const last = acknowledged
    const copy = join(base, `copy-${round}`)
    await cp(folder, copy, {recursive: true})
    child.kill('SIGCONT')
    await checkAll(copy, last)
    if (round % 4 < 3) continue
    const killed = once(child, 'exit')
    child.kill('SIGKILL')
    await killed
    await checkAll(folder, acknowledged)
    child = start()
    await once(child, 'message')
  }
  assert.ok(acknowledged > ROUNDS, `${acknowledged}`)
})
