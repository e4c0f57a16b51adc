import assert from 'node:assert/strict'
import {test} from 'node:test'
import {reportOriginTrial, tokenProblem} from '../../service/originTrial.ts'
import {listeningLog} from '../support/log.ts'
import {trialToken} from './support/trialToken.ts'

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

const REPORTS: [string, level: 'info' | 'warn', RegExp, why: string][] = [
  [trialToken({}), 'info', /read the origin trial token/, 'a valid token'],
  [
    trialToken({feature: 'Frobulate'}),
    'warn',
    /for the feature Frobulate, not for WebMCP/,
    'a token for another feature',
  ],
  [trialToken({isThirdParty: undefined}), 'warn', /not a third-party token/, 'a first-party token'],
  [trialToken({expiry: 1_609_459_199}), 'warn', /it has expired/, 'an expired token'],
  [SAMPLE, 'warn', /Frobulate, not for WebMCP, and it has expired/, 'a token with two problems'],
  [
    trialToken({expiry: 'never'}),
    'warn',
    /cannot verify WEBMCP_ORIGIN_TRIAL_TOKEN/,
    'a token without a date',
  ],
  [
    `${trialToken({}).slice(0, -8)}AAAA`,
    'warn',
    /cannot verify WEBMCP_ORIGIN_TRIAL_TOKEN/,
    'a payload that is not JSON',
  ],
]
for (const [text, level, message, why] of REPORTS) {
  test(`the log reports ${why}`, () => {
    const {log, lines} = listeningLog()
    reportOriginTrial(text, new Date('2026-11-21'), log)
    assert.deepEqual(
      lines.map(({level}) => level),
      [level === 'info' ? 30 : 40],
    )
    assert.match(String(lines[0]?.msg), message)
  })
}

test('the log reports the origin of the token and when it expires', () => {
  const {log, lines} = listeningLog()
  reportOriginTrial(SAMPLE, new Date('2026-11-21'), log)
  assert.equal(lines[0]?.origin, 'https://thirdparty.com:443')
  assert.equal(lines[0]?.expires, '2020-12-31T23:59:59.000Z')
})
