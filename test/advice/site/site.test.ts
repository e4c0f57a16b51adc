import assert from 'node:assert/strict'
import {test} from 'node:test'
import {fixed} from '../../../advice/fix.ts'
import {adviseDocument} from '../../../advice/tool.ts'

test('a poll interval over an hour is advised against, because it may mean milliseconds', () => {
  const [advice] = adviseDocument('site', {pollInterval: 60_000})
  assert.equal(advice?.code, 'POLL_INTERVAL_LONG')
  assert.match(advice?.message ?? '', /up to 16\.7 hours/)
  assert.deepEqual(advice && fixed(advice, {pollInterval: 60_000}), {field: 'pollInterval', value: 300})
})

test('the default, an hour, and intervals that the rules refuse cause no advice', () => {
  for (const pollInterval of [undefined, 300, 3_600, 100_000, '60000'])
    assert.deepEqual(adviseDocument('site', {pollInterval}), [])
})
