import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ADVICE} from '../../../schemas/advice/advice.ts'
import {ACTIONS} from './actions.ts'
import {AGENTS} from './agents.ts'
import {CALLBACKS} from './callbacks.ts'
import {EXPRESSIONS} from './expressions.ts'
import {FIELDS} from './fields.ts'
import {PARAMETERS} from './parameters.ts'
import {form, judge, type Row} from './row.ts'
import {SCRIPTS} from './scripts.ts'
import {ORIGINS, TRIED} from './tried.ts'

const OWN: readonly Row[] = [
  ...SCRIPTS,
  ...EXPRESSIONS,
  ...PARAMETERS,
  ...FIELDS,
  ...AGENTS,
  ...CALLBACKS,
  ...ACTIONS,
]
const ROWS: readonly Row[] = [...TRIED, ...ORIGINS, ...OWN]

test('a good tool and a good form tool are accepted without advice', async () => {
  for (const change of [{}, form({})]) assert.deepEqual(await judge(change), {refusals: [], advice: []})
})

for (const [what, change, expected] of ROWS) {
  test(`${what}: ${Object.entries(expected).slice(0, 1).join().replace(',', ' ')}`, async () => {
    const {refusals, advice} = await judge(change)
    const given = `got ${[...refusals, ...advice].map(({message}) => message).join(' ') || 'nothing'}`
    if ('refused' in expected) {
      const [refusal, another] = refusals
      assert.equal(refusal?.field, expected.refused, given)
      assert.match(refusal?.message ?? '', expected.message)
      assert.equal(another, undefined, given)
      return
    }
    assert.deepEqual(refusals, [], given)
    if ('advised' in expected) {
      const found = advice.find(({code}) => code === expected.advised)
      assert.ok(found, given)
      // What is wrong, and what to do about it.
      assert.match(found.message, /[.:!?] .*\.$/s)
    } else assert.deepEqual(advice, [], given)
  })
}

test('at most four mistakes slip through', () => {
  const slips = ROWS.filter(([, , expected]) => 'slips' in expected)
  assert.ok(slips.length <= 4, slips.map(([what]) => what).join(', '))
  assert.ok(TRIED.length >= 53 && ORIGINS.length >= 13 && OWN.length >= 30)
})

test('each kind of advice has a mistake that causes it', async () => {
  const expected = new Set(ROWS.flatMap(([, , row]) => ('advised' in row ? [row.advised] : [])))
  const missing = Object.keys(ADVICE).filter((code) => !Array.from<string>(expected).includes(code))
  // Those of whole pages and of sites are in test/schemas/advice/site.
  assert.deepEqual(missing, ['POLL_INTERVAL_LONG', 'TOOLS_MANY', 'TOOLS_TOO_MANY'])
})
