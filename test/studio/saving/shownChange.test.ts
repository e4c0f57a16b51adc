import {equal} from 'node:assert/strict'
import {test} from 'node:test'
import {makePatches, stringifyPatches} from '@sanity/diff-match-patch'
import {isShown} from '../../../studio/saving/shownChange.ts'

const BEFORE = 'Finds products of the shop by name and price.'

/** Whether a form that shows a description has what a save wrote. */
function shows(patch: object, description: string | undefined): boolean {
  const body = JSON.stringify({actions: [{patch: {setIfMissing: {description: ''}}}, {patch}]})
  return isShown(body, (path) => (path === 'description' ? description : undefined))
}

const edited = (after: string) => ({
  diffMatchPatch: {description: stringifyPatches(makePatches(BEFORE, after))},
})

test('a text that was typed is there, also when more is typed after it', () => {
  const after = BEFORE.replace('shop', 'small shop')
  equal(shows(edited(after), after), true)
  equal(shows(edited(after), after.replace('small', 'small red')), true)
  equal(shows(edited(after), BEFORE), false)
  equal(shows(edited(after), undefined), false)
})

test('a text that was typed at the beginning, and at the end', () => {
  equal(shows(edited(`O${BEFORE}`), `O${BEFORE}`), true)
  equal(shows(edited(`O${BEFORE}`), BEFORE), false)
  equal(shows(edited(`${BEFORE} x`), `${BEFORE} x`), true)
  equal(shows(edited(`${BEFORE} x`), BEFORE), false)
})

test('a text that was deleted is not there', () => {
  const after = BEFORE.replace('of the shop ', '')
  equal(shows(edited(after), after), true)
  equal(shows(edited(after), BEFORE), false)
})

test('a value that was set', () => {
  equal(shows({set: {description: 'First'}}, 'First words'), true)
  equal(shows({set: {description: 'First'}}, undefined), false)
  equal(shows({unset: ['description']}, undefined), false)
})
