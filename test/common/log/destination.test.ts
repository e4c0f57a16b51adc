import assert from 'node:assert/strict'
import {closeSync, openSync, readFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import fc from 'fast-check'
import {pino} from 'pino'
import {LogDestination} from '../../../common/log/destination.ts'
import {runs} from '../../runner/runs.ts'

test('lines are written in order, however many wait', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-log-'))
  const fd = openSync(join(folder, 'log'), 'w')
  t.after(async () => {
    closeSync(fd)
    await rm(folder, {recursive: true})
  })
  const destination = new LogDestination(fd)
  const lines = Array.from({length: 20_000}, (_, at) => `{"at":${at}}\n`)
  for (const line of lines) destination.write(line)
  await destination.flush()
  assert.equal(readFileSync(join(folder, 'log'), 'utf8'), lines.join(''))
  assert.equal(destination.lostLines, 0)
  assert.equal(destination.isLosingLines, false)
})

test('lines that cannot be written are counted, also fatal ones, and later lines are tried again', async (t) => {
  const fd = openSync('/dev/full', 'w')
  t.after(() => closeSync(fd))
  const destination = new LogDestination(fd)
  const logger = pino({}, destination)
  logger.fatal('first')
  logger.info('second')
  await destination.flush()
  assert.equal(destination.lostLines, 2)
  assert.equal(destination.isLosingLines, true)
  logger.fatal('third')
  await destination.flush()
  assert.equal(destination.lostLines, 3)
  destination.flushSync()
})

/** Writes in steps that a test decides. */
function heldWrites() {
  const calls: {text: string; end: (error: Error | null, written?: number) => void}[] = []
  const held = (_fd: number, chunk: Buffer, done: (error: Error | null, written: number) => void) => {
    calls.push({text: String(chunk), end: (error, written = chunk.length) => done(error, written)})
  }
  return {calls, held}
}

test('a write that ends early is continued, and one into a full pipe is tried again', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const {calls, held} = heldWrites()
  const destination = new LogDestination(1, held)
  destination.write('abc\n')
  destination.write('def\n')
  calls[0]?.end(null, 1)
  calls[1]?.end(Object.assign(new Error('full'), {code: 'EAGAIN'}))
  assert.equal(calls.length, 2)
  t.mock.timers.tick(50)
  calls[2]?.end(null)
  calls[3]?.end(null)
  assert.deepEqual(
    calls.map(({text}) => text),
    ['abc\n', 'bc\n', 'bc\n', 'def\n'],
  )
  assert.equal(destination.lostLines, 0)
})

/** What becomes of a write: a part of it, or an error. */
const outcome = fc.oneof(
  fc.double({min: 0, max: 1, noNaN: true}),
  fc.constantFrom('ENOSPC', 'EIO', 'EPIPE', 'EDQUOT', 'EAGAIN', 'EBUSY'),
)

test('whatever becomes of its writes, a line is whole or counted as lost, and the order is kept', (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const property = fc.property(
    fc.array(outcome, {maxLength: 40}),
    fc.array(fc.nat(300), {maxLength: 30}),
    (outcomes, sizes) => {
      let file = ''
      const {calls, held} = heldWrites()
      const destination = new LogDestination(1, held)
      const lines = sizes.map((size, at) => `{"at":${at},"text":"${'x'.repeat(size)}"}\n`)
      const finish = (next: number | string = 1) => {
        const call = calls.shift()
        if (call === undefined) return
        if (typeof next === 'string') call.end(Object.assign(new Error(next), {code: next}))
        else {
          const part = call.text.slice(0, Math.ceil(next * call.text.length))
          file += part
          call.end(null, part.length)
        }
        t.mock.timers.tick(50)
      }
      for (const line of lines) {
        destination.write(line)
        finish(outcomes.shift())
      }
      while (calls.length > 0) finish(outcomes.shift())
      const found = file.split('\n')
      const whole = lines.filter((line) => found.includes(line.trimEnd()))
      assert.equal(whole.length + destination.lostLines, lines.length)
      const places = whole.map((line) => found.indexOf(line.trimEnd()))
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      )
    },
  )
  fc.assert(property, {numRuns: runs(2_000)})
})

test('while nothing reads the log, at most 4 MiB wait in memory', () => {
  const {calls, held} = heldWrites()
  const destination = new LogDestination(1, held)
  const line = `${'x'.repeat(1023)}\n`
  for (let at = 0; at < 5_000; at++) destination.write(line)
  assert.equal(calls.length, 1)
  assert.equal(destination.lostLines, 5_000 - 1 - 4 * 1024)
})
