import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {
  type Annotations,
  annotationsOf,
  HINTS,
  inferAnnotations,
  parseHintSettings,
} from '../../../../schemas/rules/hints/annotations.ts'
import {titleOf, wordsOf} from '../../../../schemas/rules/names/toolName.ts'
import {ACTING, READING, READING_OTHERS, SILENT} from '../names/names.ts'
import {accepted, problemOf} from '../problem.ts'

const NAMES: readonly [what: string, names: readonly string[], hints: Annotations][] = [
  ['reads', READING, {readOnlyHint: true}],
  ['reads what others wrote', READING_OTHERS, {readOnlyHint: true, untrustedContentHint: true}],
  ['acts', ACTING, {consequentialHint: true}],
  ['may do anything', SILENT, {}],
]

for (const [what, names, hints] of NAMES) {
  test(`the name of a tool that ${what} has the hints ${JSON.stringify(hints)}`, () => {
    for (const name of names) {
      assert.deepEqual(inferAnnotations(name), hints, name)
      assert.equal(wordsOf(name).join(''), name.replace(/[^a-z0-9]/gi, ''), 'no letter is lost between words')
    }
  })
}

test('the lists have at least 120 names, each once', () => {
  const names = NAMES.flatMap(([, list]) => list)
  assert.ok(names.length >= 120)
  assert.equal(new Set(names).size, names.length)
})

test('no name is both read-only and consequential, and every name has a title', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_.-]{1,40}$/), (name) => {
      const {readOnlyHint, consequentialHint} = inferAnnotations(name)
      assert.ok(!(readOnlyHint && consequentialHint))
      assert.notEqual(titleOf(name).trim(), '')
    }),
  )
})

test('a hint that was set is served as set, and one left on Auto is inferred', () => {
  const auto = accepted(parseHintSettings(undefined))
  assert.deepEqual(annotationsOf('searchProducts', auto), {readOnlyHint: true})
  assert.deepEqual(annotationsOf('searchProducts', {...auto, readOnlyHint: 'false'}), {})
  assert.deepEqual(annotationsOf('addToCart', {...auto, consequentialHint: 'true'}), {
    consequentialHint: true,
  })
  assert.deepEqual(annotationsOf('listReviews', {...auto, untrustedContentHint: 'false'}), {
    readOnlyHint: true,
  })
})

test('hints are always served in the same order', () => {
  const all = {untrustedContentHint: 'true', consequentialHint: 'true', readOnlyHint: 'true'} as const
  assert.deepEqual(Object.keys(annotationsOf('x', all)), [...HINTS])
  assert.deepEqual(Object.keys(inferAnnotations('listReviews')), ['readOnlyHint', 'untrustedContentHint'])
})

test('hint settings that are missing are left on Auto', () => {
  const auto = {readOnlyHint: 'auto', consequentialHint: 'auto', untrustedContentHint: 'auto'}
  for (const value of [undefined, null, {}, {readOnlyHint: null, _type: 'annotations'}]) {
    assert.deepEqual(accepted(parseHintSettings(value)), auto)
  }
  assert.deepEqual(accepted(parseHintSettings({readOnlyHint: 'true'})), {...auto, readOnlyHint: 'true'})
})

test('invalid hint settings are refused by name', () => {
  for (const value of [true, false, 'TRUE', 'yes', 1, '']) {
    assert.match(
      problemOf(parseHintSettings({consequentialHint: value})) ?? '',
      /consequentialHint must be "auto"/,
    )
  }
  for (const value of ['auto', [], 3])
    assert.match(problemOf(parseHintSettings(value)) ?? '', /must be an object/)
})
