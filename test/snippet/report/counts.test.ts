import assert from 'node:assert/strict'
import {test} from 'node:test'
import {DURATION_BOUNDS} from '../../../schemas/calls/counts.ts'
import {parseReport} from '../../../service/calls/report.ts'
import {Counts} from '../../../snippet/report/counts.ts'
import {MAX_CALLS, MAX_ROWS} from '../../../snippet/report/limits.ts'

test('a page sends the bucket of each duration, and the service takes it', () => {
  const counts = new Counts()
  assert.equal(counts.isEmpty, true)
  for (const duration of [0, 50, 51, 25_000, 25_001, 1e9]) counts.add({tool: 'find', outcome: 'ok', duration})
  counts.add({tool: 'find', outcome: 'error', duration: 300, hash: '0123456789abcdef'})
  const body = counts.toBody()
  assert.deepEqual(JSON.parse(body), {
    calls: [
      ['find', 'ok', 0, 2],
      ['find', 'ok', 1, 1],
      ['find', 'ok', DURATION_BOUNDS.length - 1, 1],
      ['find', 'ok', DURATION_BOUNDS.length, 2],
      ['find', 'error', 3, 1, '0123456789abcdef'],
    ],
  })
  assert.equal(parseReport(body).length, 5)
  counts.clear()
  assert.equal(counts.isEmpty, true)
})

test('a page sends no more than the service takes', () => {
  const counts = new Counts()
  for (let number = 0; number < MAX_ROWS + 50; number++)
    counts.add({tool: `tool${number}`, outcome: 'ok', duration: 1})
  for (let time = 0; time < MAX_CALLS + 50; time++) counts.add({tool: 'tool0', outcome: 'ok', duration: 1})
  assert.equal(counts.add({tool: 'tool0', outcome: 'ok', duration: 1}), false)
  const report = parseReport(counts.toBody())
  assert.deepEqual([report.length, report[0]?.count], [MAX_ROWS, MAX_CALLS - MAX_ROWS + 1])

  const long = new Counts()
  for (let number = 0; number < MAX_ROWS; number++)
    for (let time = 0; time < 2; time++)
      long.add({tool: `${number}`.padEnd(128, 'x'), outcome: 'error', duration: 1, hash: '0123456789abcdef'})
  assert.ok(long.toBody().length > 7_000 && long.toBody().length <= 8_192)
})
