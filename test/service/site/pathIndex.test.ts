import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import picomatch from 'picomatch'
import {compilePathPattern, normalizePath} from '../../../schemas/rules/paths/pathPattern.ts'
import {PathIndex} from '../../../service/site/pathIndex.ts'
import {runs} from '../../runner/runs.ts'
import {
  ALIKE,
  hardPattern,
  parsed,
  pathNear,
  pattern,
  tamePath,
  tamePattern,
  wildPath,
} from '../../schemas/rules/paths/patterns.ts'

/** No shrinking: with sets of so many patterns it would take minutes. The failure names the path. */
const SETS = {numRuns: runs(2_000) / 8, endOnFailure: true}
const MOST = {size: 'max', maxLength: 300} as const

/** Compares an index of all patterns with matching them one after the other. */
function assertSame(sources: readonly string[], paths: readonly string[]): void {
  const patterns = parsed(sources)
  const index = new PathIndex(patterns)
  const alone = patterns.map(compilePathPattern)
  for (const path of paths) {
    const expected = alone.flatMap((matches, position) => (matches(path) ? [position] : []))
    assert.deepEqual(index.match(path), expected, JSON.stringify(path))
  }
}

test('the positions of the matching patterns are returned in ascending order, each once', () => {
  const index = new PathIndex(parsed(['/**', '/cart', '/{cart,basket}', '/about', '/{cart,c*}']))
  assert.deepEqual(index.match('/cart'), [0, 1, 2, 4])
  assert.deepEqual(index.match('/basket'), [0, 2])
  assert.deepEqual(index.match('/'), [0])
})

test('hundreds of positions are returned in ascending order, each once', () => {
  const sources = Array.from(
    {length: 500},
    (_, number) => ['/{cart,c*,**}', '/**', '/cart', '/b'][number % 4],
  )
  const index = new PathIndex(parsed(sources.map((source) => source ?? '')))
  assert.deepEqual(
    index.match('/cart'),
    [...sources.keys()].filter((position) => position % 4 !== 3),
  )
})

test('without patterns, nothing matches', () => {
  assert.deepEqual(new PathIndex([]).match('/'), [])
})

test('an index of many patterns matches what each pattern matches alone', () => {
  fc.assert(fc.property(fc.array(pattern, MOST), fc.array(wildPath, {minLength: 20}), assertSame), SETS)
})

test('so it does for paths generated from its patterns, in every script and with every kind of slash', () => {
  const hard = fc.array(fc.oneof(pattern, hardPattern), {...MOST, minLength: 1})
  const sourcesAndPaths = hard.chain((sources) =>
    fc.tuple(fc.constant(sources), fc.array(fc.constantFrom(...sources).chain(pathNear), {minLength: 20})),
  )
  fc.assert(
    fc.property(sourcesAndPaths, ([sources, paths]) => assertSame(sources, paths.map(normalizePath))),
    SETS,
  )
})

test('an index of many simple patterns matches what picomatch matches for each alone', () => {
  let pairs = 0
  fc.assert(
    fc.property(fc.array(tamePattern, {...MOST, minLength: 1}), fc.array(tamePath), (sources, paths) => {
      const index = new PathIndex(parsed(sources))
      const alone = sources.map((source) => picomatch(source.slice(1), {dot: true}))
      for (const path of paths) {
        const expected = alone.flatMap((matches, position) => (matches(path.slice(1)) ? [position] : []))
        assert.deepEqual(index.match(path), expected, path)
        pairs += sources.length
      }
    }),
    SETS,
  )
  assert.ok(pairs > 500, `${pairs} pairs`)
})

for (const [source, path] of Object.entries(ALIKE)) {
  test(`of 2,000 patterns like "${source}", the matching one is found`, () => {
    const index = new PathIndex(
      parsed(Array.from({length: 2000}, (_, number) => source.replace('#', `${number}`))),
    )
    assert.deepEqual(index.match(path), [77])
  })
}
