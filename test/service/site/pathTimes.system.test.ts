import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import picomatch from 'picomatch'
import {
  compilePathPattern,
  normalizePath,
  parsePathPattern,
} from '../../../schemas/rules/paths/pathPattern.ts'
import {PathIndex} from '../../../service/site/pathIndex.ts'
import {runs} from '../../runner/runs.ts'
import {hardPath, hardPattern, parsed, pathNear, quickest} from '../../schemas/rules/paths/patterns.ts'
import {accepted} from '../../schemas/rules/problem.ts'

// Times of matching, each the fastest of several runs.

test('no decision takes a millisecond, even for the hardest patterns and paths', () => {
  const pair = hardPattern.chain((source) =>
    fc.tuple(fc.constant(source), fc.oneof(hardPath, pathNear(source))),
  )
  fc.assert(
    fc.property(pair, ([source, path]) => {
      const index = new PathIndex(parsed([source]))
      const normalized = normalizePath(path)
      assert.ok(quickest(() => index.match(normalized)) < 1)
    }),
    {numRuns: runs(10_000)},
  )
})

test('this clock shows that a pattern refused by the rule takes picomatch more than a millisecond', () => {
  const source = '/blog/*-*-*'
  const path = `/blog/${'-'.repeat(250)}/x`
  assert.equal(parsePathPattern(source).ok, false)
  const matches = picomatch.makeRe(source, {dot: true})
  assert.ok(quickest(() => matches.test(path)) > 1)
})

test('matching one pattern takes less than a millisecond for every accepted pattern and every path', () => {
  const worst = [
    '/**/*{a,b,c,d,e,f,g,h}{a,b,c,d,e,f,g,h}',
    `/**/${'*-/'.repeat(40)}{a,b,c,d,e,f,g,h}{a,b,c,d,e,f,g,h}`,
    `/*${'-'.repeat(200)}{a,b,c,d}{a,b,c,d}{a,b,c,d}`,
    `/**/${'a*/'.repeat(80)}b`,
  ]
  fc.assert(
    fc.property(fc.oneof(hardPattern, fc.constantFrom(...worst)), hardPath, (source, path) => {
      const matches = compilePathPattern(accepted(parsePathPattern(source)))
      assert.ok(quickest(() => matches(path)) < 1)
    }),
    {numRuns: runs(1_000)},
  )
})
