import assert from 'node:assert/strict'
import {closeSync, openSync, readFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {pino} from 'pino'
import {logDestination} from '../../../common/log/log.ts'
import {eventually} from '../../support/eventually.ts'

function openedFor(t: TestContext, path: string) {
  const fd = openSync(path, 'w')
  t.after(() => closeSync(fd))
  return logDestination(fd)
}

test('lines are written in order, however many wait', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-log-'))
  t.after(() => rm(folder, {recursive: true}))
  const {destination, health, flush} = openedFor(t, join(folder, 'log'))
  const lines = Array.from({length: 20_000}, (_, at) => `{"at":${at}}\n`)
  for (const line of lines) destination.write(line)
  await eventually(async () => {
    await flush()
    return readFileSync(join(folder, 'log'), 'utf8')
  }, lines.join(''))
  assert.deepEqual([health.lostLines, health.isLosingLines], [0, false])
})

test('lines that cannot be written are counted, also fatal ones, and at most 4 MiB wait', async (t) => {
  const {destination, health, flush} = openedFor(t, '/dev/full')
  const logger = pino({}, destination)
  logger.fatal('first')
  await flush()
  assert.ok(health.lostLines > 0 && health.isLosingLines)
  const before = health.lostLines
  for (let at = 0; at < 5_000; at++) logger.info('x'.repeat(1_024))
  assert.ok(health.lostLines - before >= 500, `${health.lostLines}`)
})
