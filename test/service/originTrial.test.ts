import assert from 'node:assert/strict'
import {test} from 'node:test'
import {originTrialOf} from '../../service/originTrial.ts'
import {listeningLog} from '../support/log.ts'
import {trialToken} from '../support/trialToken.ts'

const END = Date.parse('2026-11-17')
const token = trialToken({expiry: END / 1_000})

function trialOn(day: string, text: string | undefined) {
  const {log, lines} = listeningLog()
  return {trial: originTrialOf(text, () => Date.parse(day), log), lines}
}

test('a token is logged at the start, with its origin and its end', () => {
  const {lines} = trialOn('2026-10-01', token)
  assert.deepEqual(
    lines.map(({level, origin, expires}) => [level, origin, expires]),
    [[30, 'https://tools.example:443', '2026-11-17T00:00:00.000Z']],
  )
})

const STATES: [token: string | undefined, state: string, warning: RegExp | undefined, seconds?: number][] = [
  [undefined, 'none', undefined],
  [trialToken({}), 'valid', undefined, 2_145_916_800],
  [token, 'ended', /has expired/, END / 1_000],
  [trialToken({expiry: END / 1_000 + 10 * 86_400}), 'ending', /ends in 6 days/, END / 1_000 + 10 * 86_400],
  [trialToken({feature: 'Frobulate'}), 'unusable', /for the feature Frobulate/, 0],
  [trialToken({expiry: 'never'}), 'unusable', /it cannot be read/, 0],
]
for (const [text, state, warning, seconds] of STATES) {
  test(`readiness, metric and log agree on a token that is ${state}`, () => {
    const {trial, lines} = trialOn('2026-11-21', text)
    assert.equal(trial.endSeconds(), seconds)
    assert.equal(lines.length, text === undefined ? 0 : 1)
    if (warning === undefined) {
      assert.equal(trial.warning(), undefined)
      assert.notEqual(lines[0]?.level, 40)
    } else {
      assert.match(trial.warning() ?? '', warning)
      assert.deepEqual([lines[0]?.level, lines[0]?.msg], [40, trial.warning()])
    }
  })
}
