import assert from 'node:assert/strict'
import {test} from 'node:test'
import {describeTrial} from '../../../studio/install/trialWords.ts'
import {trialToken} from '../../support/trialToken.ts'

const ORIGIN = 'https://tools.example'
const expiry = Date.parse('2026-11-17') / 1_000

const CASES: [token: string | undefined, day: string, tone: string, text: RegExp][] = [
  [undefined, '2026-11-21', 'default', /has no token: visitors' Chrome and Edge find no tools/],
  [trialToken({expiry}), '2026-10-01', 'positive', /until 17 November 2026: .* find your tools/],
  [trialToken({expiry}), '2026-11-10', 'caution', /ends on 17 November 2026.*for a new one/],
  [
    trialToken({expiry}),
    '2026-11-21',
    'critical',
    /ended on 17 November 2026: visitors' Chrome and Edge find no tools; agents with a switch of their own do/,
  ],
  [trialToken({feature: 'Other'}), '2026-11-21', 'critical', /for the feature Other, not for WebMCP/],
  [trialToken({expiry: null}), '2026-11-21', 'critical', /cannot be read/],
  [
    trialToken({origin: 'https://old.example:443'}),
    '2026-11-21',
    'caution',
    /for https:\/\/old.example, but your pages load the snippet from https:\/\/tools.example/,
  ],
  [trialToken({origin: 'https://example:443', isSubdomain: true}), '2026-11-21', 'positive', /2038/],
  [trialToken({origin: 'https://example:443'}), '2026-11-21', 'caution', /find no tools/],
]
for (const [token, day, tone, text] of CASES) {
  test(`on ${day}, Studio shows ${text.source}`, () => {
    const words = describeTrial(token, ORIGIN, Date.parse(day))
    assert.equal(words.tone, tone)
    assert.match(words.text, text)
    assert.equal(words.isUrgent, tone === 'caution' || tone === 'critical')
  })
}
