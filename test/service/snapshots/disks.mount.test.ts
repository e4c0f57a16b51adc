import assert from 'node:assert/strict'
import {readdir} from 'node:fs/promises'
import {type TestContext, test} from 'node:test'
import {logServiceEvents} from '../../../service/operations/eventLog.ts'
import {listeningLog} from '../../support/log.ts'
import {smallDisk} from '../../support/smallDisk.ts'
import {opened, pendingSnapshot} from './support.ts'

type Disk = Awaited<ReturnType<typeof smallDisk>>

async function toldOnce(
  t: TestContext,
  spoil: (disk: Disk) => Promise<unknown>,
  repair: (disk: Disk) => Promise<unknown>,
) {
  const disk = await smallDisk(t, 1)
  const {snapshots, events} = await opened(disk.folder)
  const {log, lines} = listeningLog()
  logServiceEvents(events, log)
  const keep = async (revision: string) => {
    snapshots.keep(pendingSnapshot('shop', revision), revision)
    await snapshots.flush()
  }
  await keep('1')
  await spoil(disk)
  for (const revision of ['2', '3', '4']) await keep(revision)
  assert.deepEqual(
    lines.map(({msg}) => msg),
    ['cannot write snapshots; a restart while the content lake is unreachable would lack the latest sites'],
  )
  const restarted = await opened(disk.folder)
  assert.equal(
    (await restarted.snapshots.read('shop'))?.document._rev,
    '1',
    'the last one that could be written is whole',
  )
  await repair(disk)
  await keep('5')
  assert.equal((await snapshots.read('shop'))?.document._rev, '5')
  assert.equal(lines.at(-1)?.msg, 'snapshots can be written again')
  const files = (await readdir(disk.folder)).filter((name) => name.startsWith('aside-'))
  assert.deepEqual(files, [], 'nothing half written is left')
}

test('a full disk is logged once, loses no snapshot, and recovers', (t) =>
  toldOnce(
    t,
    ({fill}) => fill(),
    ({free}) => free(),
  ))

test('a disk remounted read-only is logged once, loses no snapshot, and recovers', (t) =>
  toldOnce(
    t,
    ({makeReadOnly}) => makeReadOnly(),
    ({makeWritable}) => makeWritable(),
  ))
