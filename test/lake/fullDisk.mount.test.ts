import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {statSync} from 'node:fs'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {find, send} from '../soak/api.ts'
import {checkLog, checkRepository, checkState} from '../soak/check.ts'
import {LakeProcess} from '../soak/process.ts'
import {smallDisk} from '../support/smallDisk.ts'
import {testRepository} from './support/git.ts'

/** More than the free rest of a page or block. */
const filler = 'x'.repeat(30_000)

const note = (id: string, value: number) => ({_id: id, _type: 'note', value, filler})
const edit = (value: number) => ({
  mutations: [{createIfNotExists: note('drafts.a', 0)}, {patch: {id: 'drafts.a', set: {value}}}],
})
const publish = {
  actions: [{actionType: 'sanity.action.document.publish', draftId: 'drafts.a', publishedId: 'a'}],
}
const both = (value: number) => ({
  mutations: [{createOrReplace: note('b', value)}, {createOrReplace: note('drafts.c', value)}],
})

function startIn(t: TestContext, folder: string): LakeProcess {
  const lake = new LakeProcess({CONTENT_DIR: join(folder, 'content')})
  t.after(() => lake.kill(true))
  return lake
}

async function valuesOf(address: string): Promise<Record<string, unknown>> {
  return Object.fromEntries(Array.from(await find(address, '*'), ([id, {value}]) => [id, value]))
}

test('on a full disk, writes fail with the reason, reads work, no start succeeds, and nothing is lost', async (t) => {
  const {folder, fill, free, makeReadOnly, makeWritable} = await smallDisk(t, 4)
  const repository = testRepository(join(folder, 'content'))
  const first = startIn(t, folder)
  const address = await first.address
  const write = async (route: 'mutate' | 'actions', body: object) => {
    const answer = await send(address, route, body)
    return `${answer.status} ${answer.status === 200 ? '' : answer.body.message}`.trim()
  }
  assert.deepEqual([await write('mutate', edit(1)), await write('mutate', both(1))], ['200', '200'])
  const before = {'drafts.a': 1, b: 1, 'drafts.c': 1}

  const allRefused = async (reason: RegExp) => {
    for (const value of [2, 3])
      for (const refused of [
        await write('mutate', edit(value)),
        await write('actions', publish),
        await write('mutate', both(value)),
      ])
        assert.match(refused, reason)
    assert.deepEqual(await valuesOf(address), before)
  }
  const limitFiles = (size: number | 'unlimited') =>
    execFileSync('prlimit', [`--pid=${first.pid}`, `--fsize=${size}:unlimited`])
  // In the middle of the next page of the log.
  limitFiles(statSync(join(folder, 'content', 'handrail', 'state.db-wal')).size + 20)
  await allRefused(/^503 Nothing was (saved|published): /)
  limitFiles('unlimited')
  await fill()
  await allRefused(/^503 Nothing was (saved|published): the disk is full$/)

  await free()
  assert.equal(await write('mutate', edit(4)), '200')
  assert.equal(await write('actions', publish), '200')
  assert.equal(await write('mutate', both(4)), '200')
  assert.equal(await write('mutate', edit(5)), '200')
  const after = {a: 4, 'drafts.a': 5, b: 4, 'drafts.c': 4}
  assert.deepEqual(await valuesOf(address), after)
  await first.stop()
  await checkState(repository)

  await fill()
  await assert.rejects(startIn(t, folder).address, /the disk is full/)
  await free()
  await makeReadOnly()
  await assert.rejects(startIn(t, folder).address, /read-only file system/)
  await makeWritable()
  const last = startIn(t, folder)
  const next = await last.address
  assert.deepEqual(await valuesOf(next), after)
  await assert.rejects(startIn(t, folder).address, /in use by another lake/)
  await checkRepository(repository, await find(next, '*'))
  checkLog(last)
})
