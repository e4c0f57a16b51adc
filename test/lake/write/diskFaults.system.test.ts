import assert from 'node:assert/strict'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {find, send} from '../../soak/api.ts'
import {checkLog, checkRepository, checkState} from '../../soak/check.ts'
import {LakeProcess} from '../../soak/process.ts'
import {diskFaults} from '../support/diskFaults.ts'
import {testRepository} from '../support/git.ts'

/** More than the free rest of a page or block. */
const filler = 'x'.repeat(30_000)

const edit = (value: number) => ({
  mutations: [{createIfNotExists: note('drafts.a', 0)}, {patch: {id: 'drafts.a', set: {value, filler}}}],
})
const publish = {
  actions: [{actionType: 'sanity.action.document.publish', draftId: 'drafts.a', publishedId: 'a'}],
}
const both = (value: number) => ({
  mutations: [{createOrReplace: note('b', value)}, {createOrReplace: note('drafts.c', value)}],
})

function note(id: string, value: number) {
  return {_id: id, _type: 'note', value, filler}
}

function startIn(t: TestContext, folder: string): LakeProcess {
  const environment = {CONTENT_DIR: join(folder, 'content')}
  const lake = new LakeProcess(environment)
  t.after(async () => {
    if (lake.said.length > 0) t.diagnostic(lake.said.join('\n'))
    await lake.kill(true)
  })
  return lake
}

async function valuesOf(address: string): Promise<Record<string, unknown>> {
  return Object.fromEntries(Array.from(await find(address, '*'), ([id, {value}]) => [id, value]))
}

const {possible, impossible} = await diskFaults()

test(`disk faults that cannot be caused here: ${impossible.join('; ') || '—'}`, () => {
  assert.ok(possible.length > 0, 'this user cannot make a disk fail on this machine')
})

for (const fault of possible) {
  test(`when ${fault.name}, writes fail with the reason, reads work, and nothing is lost`, async (t) => {
    const folder = await fault.prepare(t)
    let lake = startIn(t, folder)
    let address = await lake.address
    const ok = async (work: ReturnType<typeof send>) => {
      const {status, body} = await work
      assert.equal(status, 200, JSON.stringify(body))
    }
    const refused = async (work: ReturnType<typeof send>) => {
      const {status, body} = await work
      assert.equal(status, 503, JSON.stringify(body))
      assert.match(String(body.message), fault.message)
    }
    const repository = testRepository(join(folder, 'content'))
    await ok(send(address, 'mutate', edit(1)))
    await ok(send(address, 'mutate', both(1)))
    let expected: Record<string, unknown> = {'drafts.a': 1, b: 1, 'drafts.c': 1}

    await fault.begin(folder, lake.pid)
    for (const value of [2, 3]) {
      // Writes to an open file are kept.
      if (fault.sparesOpenFiles) {
        await ok(send(address, 'mutate', edit(value)))
        expected = {...expected, 'drafts.a': value}
      } else await refused(send(address, 'mutate', edit(value)))
      await refused(send(address, 'actions', publish))
      await refused(send(address, 'mutate', both(value)))
    }
    assert.deepEqual(await valuesOf(address), expected)

    await fault.end(folder, lake.pid)
    await ok(send(address, 'mutate', edit(4)))
    await ok(send(address, 'actions', publish))
    await ok(send(address, 'mutate', both(4)))
    await ok(send(address, 'mutate', edit(5)))
    expected = {a: 4, 'drafts.a': 5, b: 4, 'drafts.c': 4}
    assert.deepEqual(await valuesOf(address), expected)

    await lake.kill(false)
    await checkState(repository)
    lake = startIn(t, folder)
    address = await lake.address
    assert.deepEqual(await valuesOf(address), expected)
    await checkRepository(repository, await find(address, '*'))
    checkLog(lake)
    await lake.stop()
  })
}
