import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {OriginTrial} from '../../service/originTrial.ts'
import {listeningLog} from '../support/log.ts'
import {trialToken} from '../support/trialToken.ts'

const END = Date.parse('2026-11-17')
const token = trialToken({expiry: END / 1_000})

/** The trial of a service at a time that the test moves. */
function trialOn(day: string, text: string | undefined, t: TestContext) {
  t.mock.timers.enable({apis: ['setInterval']})
  const {log, lines} = listeningLog()
  let now = Date.parse(day)
  const trial = new OriginTrial({token: text, log, clock: () => now})
  t.after(() => trial.close())
  return {
    trial,
    lines,
    /** Lets two checks pass on a later day, and returns what they log. */
    moveTo(later: string) {
      now = Date.parse(later)
      const count = lines.length
      t.mock.timers.tick(2 * 3_600_000)
      return lines.slice(count).map(({level, msg}) => [level, msg])
    },
  }
}

test('a running service logs once when its token ends in 30 days, in 7 days, and when it has ended', (t) => {
  const {trial, lines, moveTo} = trialOn('2026-10-01', token, t)
  assert.deepEqual(
    lines.map(({level, origin, expires}) => [level, origin, expires]),
    [[30, 'https://tools.example:443', '2026-11-17T00:00:00.000Z']],
  )
  assert.equal(trial.warning(), undefined)
  assert.deepEqual(moveTo('2026-10-10'), [])
  const [[level, month] = []] = moveTo('2026-10-18')
  assert.equal(level, 40)
  assert.match(String(month), /ends in 30 days, at 2026-11-17T00:00:00.000Z: set a new one/)
  assert.deepEqual(moveTo('2026-10-20'), [])
  assert.match(String(moveTo('2026-11-10')), /ends in 7 days/)
  assert.deepEqual(moveTo('2026-11-16'), [])
  assert.match(trial.warning() ?? '', /ends in a day/)
  assert.match(String(moveTo('2026-11-17')), /has expired/)
  assert.deepEqual(moveTo('2027-01-01'), [])
})

const STATES: [token: string | undefined, report: object, warning: RegExp | undefined, seconds?: number][] = [
  [undefined, {state: 'none', ends: null}, undefined],
  [trialToken({}), {state: 'valid', ends: '2038-01-01T00:00:00.000Z'}, undefined, 2_145_916_800],
  [token, {state: 'ended', ends: '2026-11-17T00:00:00.000Z'}, /has expired/, END / 1_000],
  [
    trialToken({expiry: END / 1_000 + 10 * 86_400}),
    {state: 'ending', ends: '2026-11-27T00:00:00.000Z'},
    /ends in 6 days/,
    END / 1_000 + 10 * 86_400,
  ],
  [trialToken({feature: 'Frobulate'}), {state: 'unusable', ends: null}, /for the feature Frobulate/, 0],
  [trialToken({expiry: 'never'}), {state: 'unusable', ends: null}, /it cannot be read/, 0],
]
for (const [text, report, warning, seconds] of STATES) {
  test(`readiness, metric and log agree on a token that is ${JSON.stringify(report)}`, (t) => {
    const {trial, lines} = trialOn('2026-11-21', text, t)
    assert.deepEqual(trial.report(), report)
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
