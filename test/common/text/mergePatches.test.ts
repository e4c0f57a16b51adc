import {equal, ok} from 'node:assert/strict'
import {describe, test} from 'node:test'
import {type Diff, makePatches, parsePatch, stringifyPatches} from '@sanity/diff-match-patch'
import fc from 'fast-check'
import {mergePatches} from '../../../common/text/mergePatches.ts'
import {runs} from '../../runner/runs.ts'

const SCRIPT = 'const a = 1\nconst b = 2\nreturn a + b\n'
const LINE_END = SCRIPT.indexOf('\n')

/** A patch that replaces characters of a text, as the code editor sends it. */
function replacing(text: string, from: number, deleted: number, insert: string) {
  const diffs: Diff[] = [
    [0, text.slice(0, from)],
    [-1, text.slice(from, from + deleted)],
    [1, insert],
    [0, text.slice(from + deleted)],
  ]
  const patches = makePatches(
    text,
    diffs.filter(([, part]) => part !== ''),
    {margin: 12},
  )
  return parsePatch(stringifyPatches(patches))
}

function inserted(text: string, at: number, insert: string): string {
  return text.slice(0, at) + insert + text.slice(at)
}

describe('a patch of a text that others have changed', () => {
  test('keeps what was typed, however much others typed at the same place', () => {
    const patch = replacing(SCRIPT, LINE_END, 0, '0')
    for (const others of ['5', ' // a number', 'x'.repeat(5_000)]) {
      const changed = inserted(SCRIPT, LINE_END, others)
      equal(mergePatches(patch, changed), inserted(SCRIPT, LINE_END, `0${others}`))
    }
  })

  test('continues a word that others have moved', () => {
    const patch = replacing(inserted(SCRIPT, LINE_END, ' // wor'), LINE_END + 7, 0, 'd')
    for (const others of ['23', ' + 4', '\n// a longer remark of somebody else\n']) {
      const changed = inserted(SCRIPT, LINE_END, `${others} // wor`)
      equal(mergePatches(patch, changed), inserted(SCRIPT, LINE_END, `${others} // word`))
    }
  })

  test('deletes what it names, and nothing that others typed in between', () => {
    const patch = replacing(SCRIPT, 0, LINE_END, '')
    equal(mergePatches(patch, SCRIPT.replace('a = 1', 'a_b = 1')), `_b${SCRIPT.slice(LINE_END)}`)
    equal(mergePatches(patch, SCRIPT.slice(LINE_END)), SCRIPT.slice(LINE_END))
  })

  test('finds its place after others added or removed much before it', () => {
    const patch = replacing(SCRIPT, SCRIPT.length - 1, 0, ' // sum')
    const expected = inserted(SCRIPT, SCRIPT.length - 1, ' // sum')
    for (const length of [100, 450, 10_000]) {
      const above = '// remark\n'.repeat(length / 10)
      equal(mergePatches(patch, above + SCRIPT), above + expected)
    }
    equal(mergePatches(patch, SCRIPT.slice(LINE_END + 1)), expected.slice(LINE_END + 1))
  })

  test('is placed where it was if nothing is left of its surroundings', () => {
    equal(mergePatches(replacing(SCRIPT, LINE_END, 0, '0'), ''), '0')
    equal(
      mergePatches(replacing(SCRIPT, LINE_END, 0, '0'), '#'.repeat(20)),
      inserted('#'.repeat(20), 11, '0'),
    )
  })

  test('is applied to the end in several places, each at its own', () => {
    const diffs: Diff[] = [
      [1, '// top\n'],
      [0, `${SCRIPT}${'x'.repeat(50)}`],
      [1, 'end'],
    ]
    const text = `${SCRIPT}${'x'.repeat(50)}`
    const patch = makePatches(text, diffs)
    equal(mergePatches(patch, `#${text}#`), `#// top\n${text}end#`)
  })

  test('keeps what was pasted over a long text of which others left little', () => {
    const long = 'const value = [1, 2, 3]\n'.repeat(40)
    const patch = replacing(long, 0, long.length, 'return []')
    equal(mergePatches(patch, long), 'return []')
    equal(mergePatches(patch, 'return [4]'), 'return []return [4]')
  })

  const texts = fc.string({unit: fc.constantFrom('a', 'b', 'ä', '👋🏽', '🇩🇪', '\n', 'word '), maxLength: 60})

  test('has exactly the intended effect on the text that it was made for', () => {
    const property = fc.property(texts, texts, (before, after) => {
      equal(mergePatches(parsePatch(stringifyPatches(makePatches(before, after))), before), after)
    })
    fc.assert(property, {numRuns: runs(5_000)})
  })

  test('inserts its text whole into any other text, and divides no character', () => {
    const property = fc.property(texts, fc.nat(60), texts, (before, at, meanwhile) => {
      const characters = [...before]
      const from = characters.slice(0, at).join('').length
      const merged = mergePatches(replacing(before, from, 0, '漢字'), meanwhile)
      equal(merged.replace('漢字', ''), meanwhile)
      ok(merged.isWellFormed())
    })
    fc.assert(property, {numRuns: runs(5_000)})
  })
})
