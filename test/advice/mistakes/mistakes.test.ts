import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ADVICE} from '../../../advice/advice.ts'
import {form, judge} from './row.ts'
import {ROWS} from './rows.ts'

test('a good tool and a good form tool are accepted without advice', async () => {
  for (const change of [{}, form({})]) assert.deepEqual(await judge(change), {refusals: [], advice: []})
})

for (const [what, change, expected] of ROWS) {
  const [changed = ''] = Object.keys(change).filter((field) => field !== '_type')
  const refusal = expected instanceof RegExp ? {refused: changed, message: expected} : expected
  const outcome = typeof refusal === 'string' ? `advised ${refusal}` : Object.entries(refusal)[0]?.join(' ')
  test(`${what}: ${outcome}`, async () => {
    const {refusals, advice} = await judge(change)
    const given = `got ${[...refusals, ...advice].map(({message}) => message).join(' ') || 'nothing'}`
    if (typeof refusal === 'object' && 'refused' in refusal) {
      assert.deepEqual(
        refusals.map(({field}) => field),
        [refusal.refused],
        given,
      )
      assert.match(refusals[0]?.message ?? '', refusal.message)
      return
    }
    assert.deepEqual(refusals, [], given)
    if (typeof refusal === 'string') {
      const found = advice.find(({code}) => code === refusal)
      assert.ok(found, given)
      // What is wrong, and what to do about it.
      assert.match(found.message, /[.:!?] .*\.$/s)
    } else assert.deepEqual(advice, [], given)
  })
}

test('at most four mistakes slip through', () => {
  const slips = ROWS.filter(([, , expected]) => typeof expected === 'object' && 'slips' in expected)
  assert.ok(slips.length <= 4, slips.map(([what]) => what).join(', '))
})

test('each kind of advice has a mistake that causes it', async () => {
  const expected = ROWS.flatMap(([, , outcome]) => (typeof outcome === 'string' ? [outcome] : []))
  const missing = Object.keys(ADVICE).filter((code) => !Array.from<string>(expected).includes(code))
  // Those of whole pages and of sites are in test/advice/site, that of files in test/cli/check.
  assert.deepEqual(missing, [
    'POLL_INTERVAL_LONG',
    'FORM_SHARED',
    'ENABLED_MISSING',
    'TOOLS_MANY',
    'TOOLS_TOO_MANY',
  ])
})
