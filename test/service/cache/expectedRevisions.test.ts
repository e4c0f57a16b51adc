import assert from 'node:assert/strict'
import {test} from 'node:test'
import {type Announcement, ExpectedRevisions} from '../../../service/cache/expectedRevisions.ts'
import type {Revision} from '../../../service/upstream/source.ts'

const [first, second, third] = [
  '2026-01-01T10:00:01Z',
  '2026-01-01T10:00:02Z',
  '2026-01-01T10:00:03Z',
] as const

function announcement(revision: string | null, updatedAt?: string): Announcement {
  return {documentId: 'tool', revision, ...(updatedAt === undefined ? {} : {updatedAt})}
}

function answer(revision?: string, updatedAt: string = second): {revisions: Map<string, Revision>} {
  return {revisions: new Map(revision === undefined ? [] : [['tool', {revision, updatedAt}]])}
}

/** How each of a series of upstream results is judged. */
function judged(expectations: ExpectedRevisions, ...answers: {revisions: Map<string, Revision>}[]): string[] {
  return answers.map((given) => expectations.check(given, ['tool'], 0))
}

function expecting(...announcements: Announcement[]): ExpectedRevisions {
  const expectations = new ExpectedRevisions()
  for (const each of announcements) expectations.add(each, 0, false)
  return expectations
}

test('a result without the announced revision lags; one with it is current, and makes the earlier one outdated', () => {
  const expectations = expecting(announcement('b', second))
  assert.deepEqual(
    judged(expectations, answer('a', first), answer('b', second), answer('a', first), answer('b', second)),
    ['lagging', 'good', 'older', 'good'],
  )
})

test('a revision that replaced the announced one is current, and makes the announced one outdated', () => {
  assert.deepEqual(
    judged(expecting(announcement('b', second)), answer('c', third), answer('b', second), answer('c', third)),
    ['good', 'older', 'good'],
  )
  const expectations = expecting(announcement('b', second))
  assert.deepEqual(judged(expectations, answer('b', second), answer('c', second)), ['good', 'good'])
})

test('without a date, revisions that were seen before distinguish later results from earlier ones', () => {
  const expectations = expecting(announcement('b'))
  assert.deepEqual(
    judged(expectations, answer('a', first), answer('b', second), answer('c', third), answer('a', first)),
    ['lagging', 'good', 'good', 'older'],
  )
})

test('a deletion is confirmed when the document is gone; a result that still has it is outdated', () => {
  const expectations = expecting(announcement(null, second))
  assert.deepEqual(
    judged(expectations, answer('b', second), answer(), answer('b', second), answer('c', third)),
    ['lagging', 'good', 'older', 'good'],
  )
})

test('an announcement that arrives after a later one is ignored, whatever it says', () => {
  const expectations = expecting(announcement('c', third))
  assert.equal(expectations.add(announcement('b', second), 0, false), false)
  assert.equal(expectations.add(announcement(null, second), 0, false), false)
  assert.deepEqual(judged(expectations, answer('b', second), answer('c', third), answer('b', second)), [
    'lagging',
    'good',
    'older',
  ])
})

test('a deletion is not undone by the announcement of the revision that it deleted', () => {
  const expectations = expecting(announcement(null, second))
  assert.equal(expectations.add(announcement('b', second), 0, false), false)
  assert.equal(expectations.add(announcement('c', third), 0, false), true)
  assert.deepEqual(judged(expectations, answer(), answer('c', third)), ['lagging', 'good'])
})

test('an announced revision that a result already contains is required at once', () => {
  const expectations = new ExpectedRevisions()
  expectations.add(announcement('b', second), 0, true)
  assert.deepEqual(judged(expectations, answer('a', first)), ['older'])
})

test('expectations expire after some seconds, and revisions that never showed are reported', () => {
  const expectations = expecting(announcement('b', second))
  assert.deepEqual(expectations.pending(15_000), {documentIds: ['tool'], notObserved: []})
  assert.deepEqual(expectations.pending(15_001), {documentIds: [], notObserved: ['tool']})
  const shown = expecting(announcement('b', second))
  judged(shown, answer('b', second))
  assert.deepEqual(shown.pending(15_001), {documentIds: [], notObserved: []})
})

test('a result is judged only by the documents that its query requested', () => {
  const expectations = expecting(announcement(null, second))
  assert.equal(expectations.check(answer(), [], 0), 'good')
  assert.equal(expectations.check(answer('b', second), ['tool'], 0), 'lagging')
})

test('upstream is queried with growing delays, which start over with each announcement', () => {
  const expectations = expecting(announcement('b', second))
  assert.deepEqual(
    Array.from({length: 7}, () => expectations.nextDelay()),
    [100, 200, 400, 800, 1_600, 2_000, 2_000],
  )
  expectations.add(announcement('c', third), 0, false)
  assert.equal(expectations.nextDelay(), 100)
})
