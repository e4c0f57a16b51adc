import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import picomatch from 'picomatch'
import {normalizePath, parsePathPattern} from '../../../schemas/rules/paths/pathPattern.ts'
import {PathIndex} from '../../../service/site/pathIndex.ts'
import {runs} from '../../runner/runs.ts'
import {hardPath, hardPattern, parsed, pathNear, quickest} from '../../schemas/rules/paths/patterns.ts'

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
