import assert from 'node:assert/strict'
import {test} from 'node:test'
import {reviewIdOf, reviewIn} from '../../../../lake/write/transaction/review/reviewRequest.ts'

test('a request of a version before 0.2 has its action in another attribute', () => {
  const request = {
    _id: reviewIdOf('find'),
    _type: 'handrail.review',
    _rev: '1',
    _createdAt: '2026-01-01T00:00:00Z',
    _updatedAt: '2026-01-01T00:00:00Z',
    document: 'find',
    site: 'shop',
    draftRevision: null,
    before: 'published',
    after: null,
    state: 'open',
    by: {id: 'ada', name: 'Ada', email: 'ada@example.com'},
    at: '2026-01-01T00:00:00Z',
    comments: [],
  }
  assert.equal(reviewIn({...request, deed: 'delete'})?.action, 'delete')
  assert.equal(reviewIn({...request, action: 'unpublish'})?.action, 'unpublish')
  assert.equal(reviewIn(request), undefined)
})
