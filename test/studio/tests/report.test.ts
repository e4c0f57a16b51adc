import assert from 'node:assert/strict'
import {test} from 'node:test'
import {testBadgeOf} from '../../../studio/documents/badge.ts'
import {describeCounts, describeReviewed} from '../../../studio/tests/report.ts'

const NOW = Date.UTC(2026, 10, 26, 12)

const WORDS: readonly [
  passed: number,
  failed: number,
  failsSince: string | undefined,
  words: string | undefined,
][] = [
  [0, 0, undefined, undefined],
  [1, 0, undefined, 'The test passed'],
  [14, 0, undefined, 'Tests passed'],
  [0, 1, '2026-11-26T12:00:00Z', 'The test fails since today'],
  [12, 2, '2026-11-24T12:00:00Z', '2 of 14 tests fail since Tuesday'],
  [13, 1, '2026-11-01T12:00:00Z', '1 of 14 tests fails since November 1'],
  [13, 1, '2025-11-01T12:00:00Z', '1 of 14 tests fails since November 1, 2025'],
]
for (const [passed, failed, failsSince, words] of WORDS) {
  test(`${passed} passed and ${failed} failed since “${failsSince}”: ${words}`, () => {
    assert.equal(describeCounts({passed, failed, ...(failsSince && {failsSince})}, NOW), words)
  })
}

const TOOL = {id: 'menu', name: 'getMenu', passed: 1, failed: 1, failsSince: '2026-11-24T12:00:00Z'}
const RUN = {at: '2026-11-26T10:00:00Z', commit: 'abc1234def', passed: 1, failed: 1}

test('the badge of a tool has the cause, and the commit that was tested', () => {
  const tests = {...RUN, tools: [{...TOOL, problem: 'GET /menu returned 404.'}]}
  const badge = testBadgeOf(tests, 'menu', NOW)
  assert.equal(badge?.label, '1 of 2 tests fails since Tuesday')
  assert.equal(badge.color, 'danger')
  assert.match(String(badge.title), /^GET \/menu returned 404\. Last run: .*, at abc1234\.$/)
  assert.equal(testBadgeOf(tests, 'other', NOW), null)
  assert.equal(testBadgeOf(undefined, 'menu', NOW), null)
})

test('a reviewer reads whether tests ran on the revision, and what failed', () => {
  const one = {
    document: 'menu',
    revision: 'r1',
    at: RUN.at,
    commit: 'abc1234def',
    passed: 14,
    failed: 0,
    problem: '',
  }
  assert.equal(describeReviewed(one), 'Tests passed on this version (abc1234).')
  assert.equal(describeReviewed({...one, commit: ''}), 'Tests passed on this version.')
  const failed = {...one, passed: 12, failed: 2, problem: 'GET /menu returned 404.'}
  assert.equal(
    describeReviewed(failed),
    '2 of 14 tests failed on this version (abc1234): GET /menu returned 404.',
  )
  assert.equal(describeReviewed(undefined), 'The tests have not run on this version yet.')
})
