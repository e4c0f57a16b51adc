import assert from 'node:assert/strict'
import {test} from 'node:test'
import {membersOf} from '../../advice/changes/members.ts'
import {adviseOfferedWhile} from '../../advice/conditions/offeredWhile.ts'
import {pageConditions, parseOfferedWhile} from '../../schemas/fields/offeredWhile.ts'
import {formTool} from '../../schemas/formTool.ts'
import {accepted, problemOf} from './rules/problem.ts'

test('a tool without conditions has none, whatever a form leaves behind', () => {
  for (const value of [undefined, null, {}, {has: [], hasNot: null, from: null}]) {
    assert.deepEqual(accepted(parseOfferedWhile(value)), {has: [], hasNot: []})
  }
  assert.equal(pageConditions({has: [], hasNot: [], from: 1}), undefined)
  assert.deepEqual(pageConditions({has: ['.a'], hasNot: []}), {has: ['.a']})
})

const REFUSED: [value: unknown, problem: RegExp][] = [
  [[], /must be an object/],
  [{has: '.a'}, /“The page has” must be a list/],
  [{hasNot: ['.a', '.b[']}, /In “The page does not have”: .*character 3/],
  [{has: Array.from({length: 11}, (_, n) => `.a${n}`)}, /at most 10 entries, and it has 11/],
  [{from: '2026-12-24'}, /no such time/],
  [{until: '2026-12-24T18:00:00+01:00'}, /in UTC/],
  [{until: '2027-02-29T12:00:00Z'}, /no such time/],
  [{until: '2026-12-24T25:00:00Z'}, /no such time/],
  [{until: 1}, /no such time/],
  [{hass: ['.a']}, /no condition “hass”: did you mean “has”\?$/],
  [{pages: ['/a']}, /no condition “pages”: write one of has, hasNot, from, until\.$/],
]
for (const [value, problem] of REFUSED) {
  test(`${JSON.stringify(value).slice(0, 50)} is refused`, () =>
    assert.match(problemOf(parseOfferedWhile(value)) ?? '', problem))
}

test('times are read to the millisecond, on leap days too', () => {
  const {from, until} = accepted(
    parseOfferedWhile({from: '2028-02-29T12:00Z', until: '2028-02-29T12:00:00.001Z'}),
  )
  assert.deepEqual([from, until], [Date.UTC(2028, 1, 29, 12), Date.UTC(2028, 1, 29, 12, 0, 0, 1)])
})

const NOW = Date.UTC(2026, 11, 1)
const ADVISED: [value: object, codes: string[]][] = [
  [{has: ['.account', 'html[lang|="de"]'], hasNot: ['#cart-empty'], until: '2026-12-24T18:00:00Z'}, []],
  [{has: ['.a', '.b'], hasNot: ['.b']}, ['CONDITION_NEVER']],
  [{from: '2026-12-24T18:00:00Z', until: '2026-12-24T18:00:00Z'}, ['CONDITION_NEVER']],
  [{until: '2026-12-01T00:00:00Z'}, ['CONDITION_OVER']],
  [{has: ['.a[']}, []],
]
for (const [value, codes] of ADVISED) {
  test(`${JSON.stringify(value)} gets ${codes.join() || 'no advice'}`, () =>
    assert.deepEqual(
      adviseOfferedWhile(value, NOW).map(({code}) => code),
      codes,
    ))
}

test('a comparison for visitors and reviewers has each condition in words', () => {
  const form = {name: 'writeToUs', description: 'Writes to us.', selector: 'form', pagePath: '/contact'}
  const offeredWhile = {has: ['.a', '.b'], hasNot: ['.c', '.d'], from: '2026-12-24T18:00:00Z'}
  const members = membersOf(formTool, {...form, offeredWhile})
  assert.deepEqual(
    members.filter(({field}) => field === 'offeredWhile').map(({title, text}) => [title, text]),
    [
      ['The page has', '.a and .b'],
      ['The page does not have', '.c or .d'],
      ['From', '2026-12-24 18:00 UTC'],
    ],
  )
})
