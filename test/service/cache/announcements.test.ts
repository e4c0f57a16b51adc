import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Announcements} from '../../../service/cache/announcements.ts'
import {createServiceEvents} from '../../../service/events.ts'
import type {Announcement} from '../../../service/upstream/announcement.ts'
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

/** Announcements about one site. */
function world(...announced: Announcement[]) {
  const events = createServiceEvents()
  const notObserved: string[] = []
  events.on('notObserved', (publicId, documentIds) => notObserved.push(publicId, ...documentIds))
  let time = 0
  const announcements = new Announcements(events, () => time)
  const add = (told: Announcement, isSeen = false) => announcements.add(told, ['shop'], isSeen)
  for (const each of announced) add(each)
  return {
    add,
    notObserved,
    expected: () => announcements.expectedFor('shop'),
    pass: (milliseconds: number) => {
      time += milliseconds
    },
    delayAfter: (given: {revisions: Map<string, Revision>}) => announcements.delayAfter(given, ['tool']),
    /** Which of a series of upstream results are used. */
    used: (...answers: {revisions: Map<string, Revision>}[]) =>
      answers.map((given) => announcements.delayAfter(given, ['tool']) === undefined),
  }
}

test('a result without the announced revision is not used, before or after one with it', () => {
  const {used} = world(announcement('b', second))
  assert.deepEqual(used(answer('a', first), answer('b', second), answer('a', first), answer('b', second)), [
    false,
    true,
    false,
    true,
  ])
})

test('a revision that replaced the announced one is used, and then the announced one no longer is', () => {
  const {used} = world(announcement('b', second))
  assert.deepEqual(used(answer('c', third), answer('b', second), answer('c', third)), [true, false, true])
  assert.deepEqual(world(announcement('b', second)).used(answer('b', second), answer('c', second)), [
    true,
    true,
  ])
})

test('without a date, revisions that were seen before distinguish later results from earlier ones', () => {
  const {used} = world(announcement('b'))
  assert.deepEqual(used(answer('a', first), answer('b', second), answer('c', third), answer('a', first)), [
    false,
    true,
    true,
    false,
  ])
})

test('a deletion is confirmed when the document is gone; a result that still has it is not used', () => {
  const {used} = world(announcement(null, second))
  assert.deepEqual(used(answer('b', second), answer(), answer('b', second), answer('c', third)), [
    false,
    true,
    false,
    true,
  ])
})

test('an announcement that arrives after a later one is ignored, whatever it says', () => {
  const {add, used} = world(announcement('c', third))
  assert.equal(add(announcement('b', second)), false)
  assert.equal(add(announcement(null, second)), false)
  assert.deepEqual(used(answer('b', second), answer('c', third), answer('b', second)), [false, true, false])
})

test('revisions of one second are used in any order, since their dates do not tell which is later', () => {
  const {add, used} = world(announcement('c', second))
  for (let delivery = 1; delivery <= 2; delivery++) assert.equal(add(announcement('b', second)), true)
  assert.deepEqual(used(answer('a', first), answer('c', second), answer('a', first)), [false, true, false])
  const repeated = world(announcement('c', second), announcement('c', second))
  assert.deepEqual(repeated.used(answer('b', second), answer('c', second)), [false, true])
})

test('a deletion is not undone by the announcement of the revision that it deleted', () => {
  const {add, used} = world(announcement(null, second))
  assert.equal(add(announcement('b', second)), false)
  assert.equal(add(announcement('c', third)), true)
  assert.deepEqual(used(answer(), answer('c', third)), [false, true])
})

test('expectations expire after some seconds, and revisions that never showed are reported', () => {
  const {expected, notObserved, pass, used} = world(announcement('b', second))
  pass(15_000)
  assert.deepEqual([expected(), notObserved], [['tool'], []])
  pass(1)
  assert.deepEqual([expected(), notObserved], [[], ['shop', 'tool']])
  assert.deepEqual(used(answer('a', first)), [true])
  const shown = world(announcement('b', second))
  shown.used(answer('b', second))
  shown.pass(15_001)
  assert.deepEqual([shown.expected(), shown.notObserved], [[], []])
})

test('a result must include only what was announced for its site, and what its query requested', () => {
  const announcements = new Announcements(createServiceEvents(), () => 0)
  announcements.add(announcement(null, second), ['one', 'other'], false)
  announcements.add(announcement('c', third), ['another'], false)
  assert.deepEqual(
    ['one', 'other', 'another', 'shop'].map((publicId) => announcements.expectedFor(publicId)),
    [['tool'], ['tool'], ['tool'], []],
  )
  assert.equal(announcements.delayAfter(answer('b', second), []), undefined)
  assert.equal(announcements.delayAfter(answer('c', third), ['tool']), undefined)
})

test('upstream is queried with delays as long as the time since the announcement', () => {
  const {add, pass, delayAfter} = world(announcement('b', second))
  const delays = Array.from({length: 7}, () => {
    const delay = delayAfter(answer('a', first)) ?? 0
    pass(delay)
    return delay
  })
  assert.deepEqual(delays, [100, 100, 200, 400, 800, 1_600, 2_000])
  add(announcement('c', third))
  assert.equal(delayAfter(answer('a', first)), 100)
})
