import assert from 'node:assert/strict'
import {test} from 'node:test'
import {median, tableText, within} from '../../bench/report.ts'

test('the median does not depend on the order of the values', () => {
  assert.deepEqual([median([9, 1, 5]), median([10, 1, 4, 2]), median([])], [5, 3, Number.NaN])
})

test('a table has a column for every field of a row, and readable numbers', () => {
  const rows = [
    {name: 'apple', price: 1.2345, count: 12_345},
    {name: 'fig', price: 3, taste: 'sweet'},
  ]
  assert.equal(
    tableText({title: 'Fruit', rows}),
    `**Fruit**

| name | price | count | taste |
| --- | --- | --- | --- |
| apple | 1.23 | 12,345 |  |
| fig | 3 |  | sweet |`,
  )
})

test('a limit that is exceeded fails the run', (t) => {
  t.after(() => {
    process.exitCode = undefined
  })
  assert.deepEqual(within(1, 1.2), {limit: '≤ 1.2: met'})
  assert.equal(process.exitCode, undefined)
  assert.deepEqual(within(1_300, 1_200, ' ms'), {limit: '≤ 1,200 ms: exceeded'})
  assert.equal(process.exitCode, 1)
})
