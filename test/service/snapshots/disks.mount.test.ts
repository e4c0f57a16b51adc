import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {mkdtemp, readdir, rm, rmdir, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {promisify} from 'node:util'
import {logServiceEvents} from '../../../service/operations/eventLog.ts'
import {listeningLog} from '../../support/log.ts'
import {opened, pendingSnapshot} from './support.ts'

const run = promisify(execFile)

/** A small disk for the test. */
async function smallDisk(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'handrail-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory])
  t.after(async () => {
    await run('umount', ['--lazy', directory])
    await rmdir(directory)
  })
  return directory
}

async function toldOnce(
  t: TestContext,
  spoil: (dir: string) => Promise<void>,
  repair: (dir: string) => Promise<void>,
) {
  const dir = await smallDisk(t)
  const {snapshots, events} = await opened(dir)
  const {log, lines} = listeningLog()
  logServiceEvents(events, log)
  const keep = async (revision: string) => {
    snapshots.keep(pendingSnapshot('shop', revision), revision)
    await snapshots.flush()
  }
  await keep('1')
  await spoil(dir)
  for (const revision of ['2', '3', '4']) await keep(revision)
  assert.deepEqual(
    lines.map(({msg}) => msg),
    ['cannot write snapshots; a restart while the content lake is unreachable would lack the latest sites'],
  )
  assert.equal(
    (await snapshots.read('shop'))?.document._rev,
    '1',
    'the last one that could be written is whole',
  )
  await repair(dir)
  await keep('5')
  assert.equal((await snapshots.read('shop'))?.document._rev, '5')
  assert.equal(lines.at(-1)?.msg, 'snapshots can be written again')
  const files = (await readdir(dir)).filter((name) => name.startsWith('aside-'))
  assert.deepEqual(files, [], 'nothing half written is left')
}

test('a full disk is logged once, loses no snapshot, and recovers', (t) =>
  toldOnce(
    t,
    (dir) => writeFile(join(dir, 'ballast'), Buffer.alloc(2_000_000)).catch(() => {}),
    (dir) => rm(join(dir, 'ballast')),
  ))

test('a disk remounted read-only is logged once, loses no snapshot, and recovers', (t) =>
  toldOnce(
    t,
    async (dir) => {
      await run('mount', ['-o', 'remount,ro', dir])
    },
    async (dir) => {
      await run('mount', ['-o', 'remount,rw', dir])
    },
  ))
