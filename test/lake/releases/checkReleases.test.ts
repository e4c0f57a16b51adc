import assert from 'node:assert/strict'
import {test} from 'node:test'
import {checkReleased} from '../../../lake/write/checks/checkReleases.ts'
import {TimeSlices} from '../../../lake/write/timeSlices.ts'
import {Workspace} from '../../../lake/write/transaction/workspace.ts'
import {problemOf} from '../../../schemas/index.ts'
import {document, storeOf} from '../support/documents.ts'

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
