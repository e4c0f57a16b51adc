import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {promisify} from 'node:util'
import {find, send} from '../soak/api.ts'
import {LakeProcess} from '../soak/process.ts'
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

async function mounted(t: TestContext): Promise<{fault: DiskFault; folder: string}> {
  const fault = possible.find(({name}) => name === NAME)
  assert.ok(fault, 'this user cannot mount a file system')
  return {fault, folder: await fault.prepare(t)}
}

test('a lake does not start on a full or read-only disk, says why, and starts with all drafts once it can write', async (t) => {
  const {fault, folder} = await mounted(t)
  const first = startIn(t, folder)
  const address = await first.address
  assert.equal((await send(address, 'mutate', draft(1))).status, 200)
  assert.equal((await send(address, 'mutate', published(1))).status, 200)
  await first.stop()
  await fault.begin(folder, 0)
  await assert.rejects(startIn(t, folder).address, /the disk is full/)
  await fault.end(folder, 0)
  const second = startIn(t, folder)
  await second.address
  await second.kill(true)
  await run('mount', ['-o', 'remount,ro', folder])
  await assert.rejects(startIn(t, folder).address, /read-only file system/)
  await run('mount', ['-o', 'remount,rw', folder])
  const next = await startIn(t, folder).address
  assert.deepEqual([...(await find(next, '*')).keys()].sort(), ['b', 'drafts.a'])
  await assert.rejects(startIn(t, folder).address, /in use by another lake/)
})
