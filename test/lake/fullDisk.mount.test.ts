import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {promisify} from 'node:util'
import {changeState} from '../content/state/changeState.ts'
import {find, send} from '../soak/api.ts'
import {LakeProcess} from '../soak/process.ts'
import {eventually} from '../support/eventually.ts'
import {type DiskFault, diskFaults} from './support/diskFaults.ts'

const run = promisify(execFile)

const {possible} = await diskFaults()
const NAME = 'a file system of 4 MB is full'

const draft = (value: number) => ({mutations: [{createOrReplace: {_id: 'drafts.a', _type: 'note', value}}]})
const published = (value: number) => ({mutations: [{createOrReplace: {_id: 'b', _type: 'note', value}}]})

function startIn(t: TestContext, folder: string): LakeProcess {
  const lake = new LakeProcess({
    CONTENT_DIR: join(folder, 'content'),
  })
  t.after(() => lake.kill(true))
  return lake
}

const readiness = async (address: string) => (await fetch(`${address}/readyz`)).text()

async function mounted(t: TestContext): Promise<{fault: DiskFault; folder: string}> {
  const fault = possible.find(({name}) => name === NAME)
  assert.ok(fault, 'this user cannot mount a file system')
  return {fault, folder: await fault.prepare(t)}
}

/** A lake that starts on a full disk, and a function that frees space. */
async function lakeOnFullDisk(t: TestContext) {
  const {fault, folder} = await mounted(t)
  const first = startIn(t, folder)
  const before = await first.address
  assert.equal((await send(before, 'mutate', draft(1))).status, 200)
  assert.equal((await send(before, 'mutate', published(1))).status, 200)
  await first.stop()
  await fault.begin(folder, 0)
  const address = await startIn(t, folder).address
  return {folder, address, makeRoom: () => fault.end(folder, 0)}
}

test('a lake starts read-only on a full disk, reports it, and accepts changes once there is space', async (t) => {
  const {folder, address, makeRoom} = await lakeOnFullDisk(t)
  assert.deepEqual([...(await find(address, '*')).keys()].sort(), ['b', 'drafts.a'])
  for (const body of [draft(2), published(2)]) {
    const refused = await send(address, 'mutate', body)
    assert.deepEqual([refused.status, refused.body.message], [503, 'Nothing was saved: the disk is full'])
  }
  const told = await readiness(address)
  assert.match(told, /"status":"degraded".*"DISK_FULL".*"mayWrite":false/)
  assert.ok(!told.includes(folder))
  // The lake takes the lock once there is space; from then on a second lake is rejected.
  await makeRoom()
  await eventually(() => readiness(address), /"mayWrite":true/)
  assert.equal((await send(address, 'mutate', draft(2))).status, 200)
  assert.equal((await send(address, 'mutate', published(2))).status, 200)
  await assert.rejects(startIn(t, folder).address, /in use by the lake/)
})

test('a lake that started read-only does not write after another process has changed the drafts', async (t) => {
  const {folder, address, makeRoom} = await lakeOnFullDisk(t)
  await makeRoom()
  changeState({directory: join(folder, 'content')}, (state) => state.run('DELETE FROM draft'))
  await eventually(() => readiness(address), /"LOCK_NOT_HELD"/)
  const refused = await send(address, 'mutate', draft(2))
  assert.equal(refused.status, 503)
  assert.match(String(refused.body.message), /another process has held it since: restart the lake/)
  const next = await startIn(t, folder).address
  assert.deepEqual([...(await find(next, '*')).keys()], ['b'])
})

test('a lake that starts on a read-only disk after a kill serves drafts, and accepts changes once it is writable', async (t) => {
  const {folder} = await mounted(t)
  const first = startIn(t, folder)
  assert.equal((await send(await first.address, 'mutate', draft(1))).status, 200)
  await first.kill(true)
  await run('mount', ['-o', 'remount,ro', folder])
  const address = await startIn(t, folder).address
  assert.deepEqual([...(await find(address, '*')).keys()], ['drafts.a'])
  assert.match(await readiness(address), /"DISK_READ_ONLY".*"mayWrite":false/)
  assert.equal((await send(address, 'mutate', draft(2))).status, 503)
  await run('mount', ['-o', 'remount,rw', folder])
  await eventually(() => readiness(address), /"mayWrite":true/)
  assert.equal((await send(address, 'mutate', draft(2))).status, 200)
})
