import assert from 'node:assert/strict'
import {test} from 'node:test'
import {tokenInSnippet, tokenProblem, trialState} from '../../advice/originTrial.ts'
import {buildSnippet} from '../../snippet/build/build.ts'
import {trialToken} from '../support/trialToken.ts'

/** The third-party sample in Chromium's description of tokens. */
const SAMPLE =
  'Ax8UsCU9EUBRj8PZG147cOO7VqR86BF13TSu6w2wRqixzJ+fEUULvOQimXwWl1ETYCfAZMlvvAqoFYB8HxrsZA4AAABseyJvcmlnaW4iOiAi' +
  'aHR0cHM6Ly90aGlyZHBhcnR5LmNvbTo0NDMiLCAiaXNUaGlyZFBhcnR5IjogdHJ1ZSwgImZlYXR1cmUiOiAiRnJvYnVsYXRlIiwgImV4cGly' +
  'eSI6IDE2MDk0NTkxOTl9'

const SHAPES: [string, RegExp | undefined, why: string][] = [
  [trialToken({}), undefined, 'a token'],
  [SAMPLE, undefined, 'Chromium’s sample'],
  [trialToken({}, 9), undefined, 'a future version'],
  ['hello', /not an origin trial token/, 'another word'],
  [Buffer.from('hello, hello').toString('base64'), /not an origin trial token/, 'too short'],
  [SAMPLE.slice(0, -4), /incomplete origin trial token/, 'cut off at its end'],
  [` ${SAMPLE}`, /not an origin trial token/, 'white space before it'],
  [SAMPLE.replaceAll('+', '-'), /not an origin trial token/, 'another alphabet'],
  ['A'.repeat(8_000), /not an origin trial token/, 'longer than browsers accept'],
]
for (const [text, problem, why] of SHAPES) {
  test(`the shape of ${why} is ${problem === undefined ? 'accepted' : 'refused'}`, () => {
    if (problem === undefined) assert.equal(tokenProblem(text), undefined)
    else assert.match(tokenProblem(text) ?? '', problem)
  })
}

/** When Chrome's first tokens for everyone ended. */
const END = Date.parse('2026-11-17')
const token = trialToken({expiry: END / 1_000})

const STATES: [token: string | undefined, now: string, expected: object][] = [
  [undefined, '2026-11-01', {state: 'none'}],
  [token, '2026-10-01', {state: 'valid', ends: new Date(END), daysLeft: 47}],
  [token, '2026-10-17T23:59:59Z', {state: 'valid', ends: new Date(END), daysLeft: 31}],
  [token, '2026-10-18', {state: 'ending', ends: new Date(END), daysLeft: 30}],
  [token, '2026-11-16T23:59:59Z', {state: 'ending', ends: new Date(END), daysLeft: 1}],
  [token, '2026-11-17', {state: 'ended', ends: new Date(END)}],
  [SAMPLE, '2026-11-17', {state: 'unusable', mistakes: ['is for the feature Frobulate, not for WebMCP']}],
  [
    trialToken({isThirdParty: undefined}),
    '2026-11-17',
    {state: 'unusable', mistakes: ['is not a third-party token, and valid on its own origin only']},
  ],
  [trialToken({expiry: 'never'}), '2026-11-17', {state: 'unusable', mistakes: ['cannot be read']}],
  [`${trialToken({}).slice(0, -8)}AAAA`, '2026-11-17', {state: 'unusable', mistakes: ['cannot be read']}],
]
for (const [text, now, expected] of STATES) {
  test(`on ${now}, a token is ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(trialState(text, Date.parse(now)), expected)
  })
}

test('the token is found in the snippet that contains it, and none in a snippet without', async () => {
  const [without, withToken] = await Promise.all([buildSnippet(), buildSnippet({originTrialToken: token})])
  assert.equal(tokenInSnippet(without.text), undefined)
  assert.equal(tokenInSnippet(withToken.text), token)
})
