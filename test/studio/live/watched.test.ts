import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import type {Answer} from '../../../studio/live/answer.ts'
import {pauseAfter, watched} from '../../../studio/live/watched.ts'

const LIMITS = {interval: 2_000, silentAfter: 7_000, endAfter: 30_000}
const NOTHING: Answer<string | undefined> = {state: 'answered', value: undefined}
const SEEN: Answer<string | undefined> = {state: 'answered', value: 'https://shop.example'}
const GONE: Answer<string | undefined> = {state: 'failed', problem: 'The service is not reachable.'}

describe('after a page was opened, Studio', () => {
  test('waits, says that it is silent, and takes that back if it is seen later', () => {
    assert.deepEqual(watched({state: 'waiting'}, 0, LIMITS), {state: 'waiting'})
    assert.deepEqual(watched(NOTHING, 6_999, LIMITS), {state: 'waiting'})
    assert.deepEqual(watched(NOTHING, 7_000, LIMITS), {state: 'silent'})
    assert.deepEqual(watched(SEEN, 9_000, LIMITS), {state: 'seen', value: 'https://shop.example'})
  })

  test('asks until the page is seen, also after the service did not respond, and no longer than its time', () => {
    assert.equal(pauseAfter(NOTHING, 8_000, LIMITS), 2_000)
    assert.equal(pauseAfter(GONE, 8_000, LIMITS), 2_000)
    assert.equal(pauseAfter(SEEN, 8_000, LIMITS), undefined)
    assert.equal(pauseAfter(NOTHING, 30_000, LIMITS), undefined)
  })

  test('says why it cannot ask', () => {
    assert.deepEqual(watched(GONE, 9_000, LIMITS), GONE)
  })
})
