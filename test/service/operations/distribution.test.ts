import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Distribution} from '../../../service/operations/distribution.ts'

test('each bucket includes the smaller ones and its bound, and the last one includes everything', () => {
  const distribution = new Distribution([1, 5])
  for (const value of [0, 1, 2, 5, 6]) distribution.observe(value)
  assert.deepEqual(distribution.samples('age_seconds'), [
    'age_seconds_bucket{le="1"} 2',
    'age_seconds_bucket{le="5"} 4',
    'age_seconds_bucket{le="+Inf"} 5',
    'age_seconds_sum 14',
    'age_seconds_count 5',
  ])
})

test('the labels of a sample come before its bound', () => {
  const distribution = new Distribution([1])
  distribution.observe(0.5)
  assert.deepEqual(distribution.samples('d', 'route="/a"'), [
    'd_bucket{route="/a",le="1"} 1',
    'd_bucket{route="/a",le="+Inf"} 1',
    'd_sum{route="/a"} 0.5',
    'd_count{route="/a"} 1',
  ])
})
