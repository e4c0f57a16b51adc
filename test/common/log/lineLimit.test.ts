import assert from 'node:assert/strict'
import {test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {limitLines, linesPerSecond} from '../../../common/log/lineLimit.ts'

test('a line is due once in an interval, for each kind', () => {
  const isDue = limitLines(60_000)
  assert.deepEqual(
    [isDue('flood'), isDue('flood'), isDue('other'), isDue('other')],
    [true, false, true, false],
  )
})

test('a line is due again after the interval', async () => {
  const isDue = limitLines(1)
  assert.equal(isDue('flood'), true)
  await setTimeout(5) // Longer than the interval, which ends by the clock of the cache.
  assert.equal(isDue('flood'), true)
})

test('so many lines are due in a second, and the next one says how many were left out', () => {
  let now = 500
  const isDue = linesPerSecond(2, () => now)
  assert.deepEqual([isDue(), isDue(), isDue(), isDue()], [0, 0, undefined, undefined])
  now = 1_000
  assert.deepEqual([isDue(), isDue(), isDue()], [2, 0, undefined])
})
