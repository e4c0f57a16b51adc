import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import {matchesPath, type PathPattern, parsePathPattern} from '../../../schemas/rules/pathPattern.ts'
import {PathIndex} from '../../../service/site/pathIndex.ts'

function pattern(source: string): PathPattern {
  const parsed = parsePathPattern(source)
  assert.ok(parsed.ok, source)
  return parsed.value
}

test('the positions of the matching patterns come in ascending order, each once', () => {
  const index = new PathIndex(['/**', '/cart', '/{cart,basket}', '/about', '/{cart,c*}'].map(pattern))
  assert.deepEqual(index.match('/cart'), [0, 1, 2, 4])
  assert.deepEqual(index.match('/basket'), [0, 2])
  assert.deepEqual(index.match('/'), [0])
})

test('without a pattern, nothing matches', () => {
  assert.deepEqual(new PathIndex([]).match('/'), [])
})

test('property: the index finds exactly the patterns that match by themselves', () => {
  const segment = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '*b', '?', '{a,b}')
  const source = fc.tuple(fc.array(segment, {maxLength: 4}), fc.boolean()).map(([segments, deep]) => {
    return `/${[...segments, ...(deep ? ['**'] : [])].join('/')}`
  })
  const path = fc
    .array(fc.constantFrom('a', 'b', 'ab', 'ba', '.'), {maxLength: 5})
    .map((parts) => `/${parts.join('/')}`)
  fc.assert(
    fc.property(fc.array(source, {maxLength: 12}), path, (sources, visited) => {
      const patterns = sources.map(pattern)
      const expected = patterns.flatMap((one, position) => (matchesPath(one, visited) ? [position] : []))
      assert.deepEqual(new PathIndex(patterns).match(visited), expected)
    }),
    {numRuns: 500},
  )
})
