import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {parsePathPattern} from '../../../../schemas/rules/paths/pathPattern.ts'
import {type Reach, reachOf, withReach} from '../../../../schemas/rules/paths/reach.ts'
import {runs} from '../../../runner/runs.ts'

test('patterns are named in words', () => {
  const rows: [string, Reach][] = [
    ['/**', 'every'],
    ['/', 'page'],
    ['/cart', 'page'],
    ['/products/**', 'below'],
    ['/products/*', 'pattern'],
    ['/{cart,checkout}', 'pattern'],
    ['/*/reviews/**', 'pattern'],
  ]
  for (const [pattern, reach] of rows) assert.equal(reachOf(pattern), reach, pattern)
})

test('another kind keeps the page', () => {
  const rows: [string, Reach, string][] = [
    ['/cart', 'below', '/cart/**'],
    ['/cart/', 'below', '/cart/**'],
    ['/cart/**', 'page', '/cart'],
    ['/books/*/reviews', 'page', '/books'],
    ['/**', 'page', '/'],
    ['/', 'below', '/**'],
    ['/{cart,checkout}', 'below', '/**'],
    ['/products/*', 'pattern', '/products/*'],
    ['', 'page', '/'],
  ]
  for (const [pattern, reach, expected] of rows) assert.equal(withReach(pattern, reach), expected, pattern)
})

test('what a choice makes of any pattern is a pattern of that kind', () => {
  const parts = fc.constantFrom('a', '/', '*', '**', '{a,b}', '?', 'é')
  fc.assert(
    fc.property(
      fc.array(parts, {maxLength: 8}),
      fc.constantFrom<Reach>('every', 'page', 'below'),
      (texts, reach) => {
        const pattern = `/${texts.join('')}`
        fc.pre(parsePathPattern(pattern).ok)
        const changed = withReach(pattern, reach)
        assert.ok(parsePathPattern(changed).ok, changed)
        assert.ok([reach, 'every'].includes(reachOf(changed)), changed)
      },
    ),
    {numRuns: runs(200)},
  )
})
