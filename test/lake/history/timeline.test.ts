import assert from 'node:assert/strict'
import {test} from 'node:test'
import {timelineOf} from '../../../lake/history/timeline.ts'

/** The time of a publish whose transaction began at a time, and whose commit has another one. */
function timeOf(began: string, committed: string): string | undefined {
  const id = 'publish'
  const revision = {
    id,
    email: 'ada@example.com',
    timestamp: committed,
    documents: [],
  }
  const step = {id, timestamp: began, author: 'ada', before: undefined, after: undefined}
  return timelineOf([revision], [step], () => 'ada')[0]?.timestamp
}

test('a publish is not earlier than its commit, so that its state is not that of a moment before the commit', () => {
  assert.equal(timeOf('2026-11-26T11:33:45.950Z', '2026-11-26T11:33:46Z'), '2026-11-26T11:33:46Z')
  assert.equal(timeOf('2026-11-26T11:33:46.300Z', '2026-11-26T11:33:46Z'), '2026-11-26T11:33:46.300Z')
})
