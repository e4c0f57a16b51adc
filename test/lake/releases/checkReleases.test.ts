import assert from 'node:assert/strict'
import {test} from 'node:test'
import {checkReleased, checkReleases} from '../../../lake/write/checks/checkReleases.ts'
import {TimeSlices} from '../../../lake/write/timeSlices.ts'
import {Workspace} from '../../../lake/write/transaction/workspace.ts'
import {problemOf} from '../../../schemas/index.ts'
import {document, storeOf} from '../support/documents.ts'

const release = (name: string, state = 'active') => ({
  _id: `_.releases.${name}`,
  _type: 'system.release',
  name,
  state,
  metadata: {},
})
const version = (index: number) => ({_id: `versions.rA.tool-${index}`, _type: 'tool'})
const many = <T>(make: (index: number) => T) => Array.from({length: 1_000}, (_, index) => make(index))

/** Checks a transaction that adds a document to others. */
function check(others: Parameters<typeof storeOf>, added: Parameters<typeof document>[0]) {
  const workspace = new Workspace(storeOf(...others), new Map())
  workspace.put(added._id, document(added), {})
  return () => checkReleases(workspace.changed(), workspace)
}

test('a release has at most 1,000 documents', () => {
  const versions = many(version)
  assert.doesNotThrow(check([release('rA'), release('rB'), ...versions.slice(1)], version(1_000)))
  assert.throws(check([release('rA'), ...versions], version(1_000)), /at most 1000 documents/)
})

test('a lake has at most 1,000 releases that are not published', () => {
  const states = ['active', 'scheduled', 'archived']
  const open = many((index) => release(`r${index}`, states[index % 3]))
  const published = many((index) => release(`p${index}`, 'published'))
  assert.doesNotThrow(check([...published, ...open.slice(1)], release('rNew')))
  assert.throws(check(open, release('rNew')), /at most 1000 releases that are not published/)
  assert.doesNotThrow(check([...open, release('rMore')], {...release('rMore'), metadata: {title: 'x'}}))
})

test('a release that holds a document which the rules refuse is not published', async () => {
  const tool = {_id: 'a', _type: 'tool', name: 'not a name'}
  const published = new Map([['a', document(tool)]])
  const principal = {id: 'ada', name: 'Ada', email: '', rights: []}
  const run = {kind: 'release.publish', release: 'rA'} as const
  const checking = (...actions: (typeof run)[]) =>
    checkReleased(published, {
      request: {actions, principal},
      workspace: new Workspace(storeOf({...tool, _id: 'versions.rA.a'}), new Map()),
      slices: new TimeSlices(),
      problemOf,
    })
  await assert.rejects(checking(run), /tool “not a name” cannot be published: .*name/)
  await checking()
  published.set(
    'a',
    document({_id: 'a', _type: 'site', name: 'Shop', publicId: 'shop-0001-site', review: 'some'}),
  )
  await assert.rejects(checking(run), /site “Shop” cannot be published: The review must be one of/)
  published.set('a', document({_id: 'a', _type: 'post'}))
  await checking(run)
})
