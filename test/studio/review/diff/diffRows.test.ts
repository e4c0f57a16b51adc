import assert from 'node:assert/strict'
import {test} from 'node:test'
import {diffRows} from '../../../../studio/review/diff/diffRows.ts'

/** Rows as text: `=` for the same line, `-` and `+` for the two sides of a change. */
const shown = (before: string, after: string) =>
  diffRows(before, after).map((row) => {
    if ('skipped' in row) return `${row.skipped} skipped`
    return row.isChanged ? `-${row.before ?? ''} +${row.after ?? ''}` : `=${row.before}`
  })

const lines = (count: number, start = 0) => Array.from({length: count}, (_, index) => `line ${start + index}`)

test('changed lines are next to each other, and more lines on one side have none on the other', () => {
  assert.deepEqual(shown('a\nb\nc', 'a\nB\nB2\nc'), ['=a', '-b +B', '- +B2', '=c'])
  assert.deepEqual(shown('a\nb', 'b'), ['-a +', '=b'])
  assert.deepEqual(shown('', 'a'), ['- +a'])
  assert.deepEqual(shown('a\r\nb', 'a\nb\n'), ['2 skipped'])
})

test('lines that are far from a change are counted instead of shown', () => {
  const far = lines(20)
  const rows = shown([...far, 'x', ...far].join('\n'), [...far, 'y', ...far].join('\n'))
  assert.deepEqual([rows[0], rows.at(-1)], ['16 skipped', '16 skipped'])
  assert.equal(rows.length, 2 + 4 + 1 + 4)
  assert.ok(rows.includes('-x +y'))
})
