import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {applyPatch} from 'mendoza'
import type {Document} from '../../../content/document.ts'
import {effectsOf} from '../../../lake/history/mendoza.ts'
import {runs} from '../../runner/runs.ts'

/** Few keys, so that documents share some; none sets a prototype, which documents may not have. */
const key = fc.oneof(
  fc.constantFrom('_rev', '_z', 'A', 'a', 'b', 'é', '10', '9'),
  fc.string({maxLength: 3}).filter((name) => name !== '__proto__'),
)
const json = fc.jsonValue({maxDepth: 2}).map((value): unknown => JSON.parse(JSON.stringify(value)))
const document = fc.dictionary(key, json, {maxKeys: 8, noNullPrototype: true}).map(
  (content): Document => ({
    ...content,
    _id: 'a',
    _type: 'page',
    _rev: JSON.stringify(content),
    _createdAt: '2026-01-01T00:00:00Z',
    _updatedAt: '2026-01-01T00:00:00Z',
  }),
)
const state = fc.option(document, {nil: undefined, freq: 8})

/** As in Studio: without `_rev`, and null if missing. */
function held(of: Document | undefined): unknown {
  if (of === undefined) return null
  const {_rev, ...content} = of
  return content
}

const apply = (before: unknown, patch: readonly unknown[]): unknown => applyPatch(before, [...patch])

test('Sanity’s decoder reconstructs the next and the previous state', () => {
  fc.assert(
    fc.property(state, state, (before, after) => {
      const effects = effectsOf(before, after)
      assert.deepEqual(apply(held(before), effects.apply), held(after))
      assert.deepEqual(apply(held(after), effects.revert), held(before))
    }),
    {numRuns: runs(1_000)},
  )
})

test('patches show whether a document was created or deleted', () => {
  const [one] = fc.sample(document, 1)
  assert.deepEqual(effectsOf(undefined, one), {apply: [0, held(one)], revert: [0, null]})
  assert.deepEqual(effectsOf(one, undefined), {apply: [0, null], revert: [0, held(one)]})
})

test('a patch contains only changed fields', () => {
  const base = {_id: 'a', _type: 'page', _createdAt: 'then', _updatedAt: 'now'}
  const {apply, revert} = effectsOf(
    {...base, _rev: '1', title: 'one', list: [1, {a: 2}], gone: true},
    {...base, _rev: '2', title: 'two', list: [1, {a: 2}]},
  )
  assert.deepEqual(apply, [19, 4, 17, 'two', 'title'])
  assert.deepEqual(revert, [17, 'one', 'title', 17, true, 'gone'])
})
