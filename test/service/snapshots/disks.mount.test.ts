import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {logServiceEvents} from '../../../service/operations/eventLog.ts'
import {listeningLog} from '../../support/log.ts'
import {smallDisk} from '../../support/smallDisk.ts'
import {opened} from './support.ts'

type Disk = Awaited<ReturnType<typeof smallDisk>>

async function toldOnce(
  t: TestContext,
  spoil: (disk: Disk) => Promise<unknown>,
  repair: (disk: Disk) => Promise<unknown>,
) {
  const disk = await smallDisk(t, 1)
  const {database, events, keep, revisionOf} = opened(disk.folder)
  const {log, lines} = listeningLog()
  logServiceEvents(events, log)
  keep('shop', '1')
  // A disk with files that are open for writing can be filled, but not remounted.
  database.close()
  await spoil(disk)
  for (const revision of ['2', '3', '4']) keep('shop', revision)
  assert.deepEqual(
    lines.map(({msg}) => msg),
    ['cannot write snapshots; a restart while the content lake is unreachable would lack the latest sites'],
  )
  assert.equal(opened(disk.folder).revisionOf('shop'), '1', 'the last one that could be written is whole')
  await repair(disk)
  keep('shop', '5')
  assert.equal(revisionOf('shop'), '5')
  assert.equal(lines.at(-1)?.msg, 'snapshots can be written again')
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
