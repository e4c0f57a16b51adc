import {deepEqual, equal, ok} from 'node:assert/strict'
import {describe, test} from 'node:test'
import {applyPatches, parsePatch} from '@sanity/diff-match-patch'
import fc from 'fast-check'
import {type TextChange, TextSync} from '../../../../studio/inputs/code/textSync.ts'
import {runs} from '../../../runner/runs.ts'
import {applyChanges, SharedText, type Step} from './support/sharedText.ts'

const SCRIPT = '// top\nconst a = 1\nconst b = 2\nreturn a + b'

function insertAt(from: number, insert: string): TextChange[] {
  return [{from, to: from, insert}]
}

function patched(text: string, patch: string): string {
  return applyPatches(parsePatch(patch), text, {allowExceedingIndices: true})[0]
}

describe('the text of a code editor and the value of the form', () => {
  test('what is typed is sent as a patch that keeps what others changed meanwhile', () => {
    const sync = new TextSync(SCRIPT)
    const patch = sync.typed(insertAt(6, 'most'))
    equal(patched(SCRIPT, patch), SCRIPT.replace('top', 'topmost'))
    equal(patched(`${SCRIPT} + 3`, patch), `${SCRIPT.replace('top', 'topmost')} + 3`)
  })

  test('changes in several places are one patch of these places', () => {
    const sync = new TextSync(SCRIPT)
    const patch = sync.typed([
      {from: 0, to: 3, insert: '#'},
      {from: 13, to: 14, insert: 'first'},
      {from: SCRIPT.length, to: SCRIPT.length, insert: '\n// 👩‍👧 end'},
    ])
    equal(sync.text, '#top\nconst first = 1\nconst b = 2\nreturn a + b\n// 👩‍👧 end')
    equal(patched(SCRIPT, patch), sync.text)
    equal(patched(SCRIPT.replace('b = 2', 'b = 20'), patch), sync.text.replace('b = 2', 'b = 20'))
  })

  test('a value that this editor sent changes nothing, even if it arrives after more was typed', () => {
    const sync = new TextSync('a')
    sync.typed(insertAt(1, 'b'))
    sync.typed(insertAt(2, 'c'))
    deepEqual(sync.received('ab'), [])
    deepEqual(sync.received('abc'), [])
    equal(sync.text, 'abc')
  })

  test('an earlier value that stays is a change by somebody else', () => {
    const sync = new TextSync('a')
    sync.typed(insertAt(1, 'b'))
    deepEqual(sync.received('a'), [])
    sync.settle()
    deepEqual(sync.received('a'), [{from: 1, to: 2, insert: ''}])
    equal(sync.text, 'a')
  })

  test('a colleague’s change is applied where it is', () => {
    const sync = new TextSync(SCRIPT)
    const next = SCRIPT.replace('a = 1', 'a = 10').replace('// top\n', '')
    const changes = sync.received(next)
    deepEqual(changes, [
      {from: 0, to: 7, insert: ''},
      {from: 18, to: 18, insert: '0'},
    ])
    equal(applyChanges(SCRIPT, changes), next)
  })

  test('line ends of Windows are replaced with the first change, and not before', () => {
    const windows = 'one\r\ntwo\r\n'
    const sync = new TextSync(windows)
    equal(sync.text, 'one\ntwo\n')
    deepEqual(sync.received(windows), [])
    equal(patched(windows, sync.typed(insertAt(8, 'three'))), 'one\ntwo\nthree')
    deepEqual(sync.received('one\r\ntwo\r\nthree'), [])
  })

  test('any change of any text arrives whole, in both directions', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '\n', ' ', 'é', '漢', '👋🏽', '🇩🇪'),
      maxLength: 40,
    })
    fc.assert(
      fc.property(text, text, text, (before, typed, received) => {
        const sync = new TextSync(before)
        const patch = sync.typed([{from: 0, to: before.length, insert: typed}])
        equal(patched(before, patch), typed)
        sync.settle()
        equal(applyChanges(typed, sync.received(received)), received)
      }),
      {numRuns: runs(10_000)},
    )
  })
})

describe('two editors and a program in one text', () => {
  /** Takes the steps, and checks that all have the same text with all that was typed. */
  function check(shared: SharedText, steps: readonly Step[]): void {
    for (const step of steps) shared.take(step)
    shared.finish()
    for (const editor of shared.editors) equal(editor.text, shared.text)
    for (const [character, who] of shared.typed)
      ok(shared.text.includes(character), `${who} lost ${character}`)
    for (const editor of ['editor 0', 'editor 1']) {
      const own = [...shared.typed].filter(([, who]) => who === editor).map(([character]) => character)
      equal(own.toSorted((a, b) => shared.text.indexOf(a) - shared.text.indexOf(b)).join(''), own.join(''))
    }
  }

  test('all characters are kept in the order in which each typed them, nothing erased returns, and all see the same', () => {
    const text = `${SCRIPT} // the program\n${SCRIPT}`
    const who = fc.nat(1)
    const step = fc.oneof(
      {weight: 6, arbitrary: fc.record({kind: fc.constant('type' as const), who})},
      {weight: 2, arbitrary: fc.record({kind: fc.constant('erase' as const), who})},
      {weight: 1, arbitrary: fc.record({kind: fc.constant('program' as const)})},
      {weight: 2, arbitrary: fc.record({kind: fc.constant('commit' as const), who})},
      {weight: 2, arbitrary: fc.record({kind: fc.constant('serve' as const)})},
      {weight: 3, arbitrary: fc.record({kind: fc.constant('deliver' as const), who})},
    )
    const steps = fc.array(step, {maxLength: 60, size: 'max'})
    // Most of the time they type within a few characters of each other.
    const property = fc.property(
      steps,
      fc.nat(text.length),
      fc.integer({min: -12, max: 12}),
      (steps, first, apart) => {
        const second = Math.min(Math.max(first + apart, 0), text.length)
        const shared = new SharedText(text, [first, second])
        check(shared, steps)
        equal(shared.text.length, text.length + shared.typed.size)
      },
    )
    fc.assert(property, {numRuns: runs(5_000)})
  })
})
