import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {StoredDocument} from '../../../schemas/diagnosis/documents.ts'
import {fieldTitle} from '../../../schemas/diagnosis/titles.ts'
import {reviewedIn} from '../../../studio/review/changes.ts'
import type {Review} from '../../../studio/review/review.ts'
import {reviewOf} from '../support/reviews.ts'

const site: StoredDocument = {
  _id: 'shop',
  _type: 'site',
  _rev: '1',
  name: 'Shop',
  publicId: 'demo-shop',
  review: 'all',
}
const tool: StoredDocument = {
  _id: 'find',
  _type: 'tool',
  _rev: '1',
  name: 'findBoats',
  description: 'Finds boats that are for hire, and returns their names.',
  enabled: true,
  pathPattern: '/boats',
  inputSchema: '{"type": "object", "properties": {}}',
  executeJs: 'return 1',
  site: {_type: 'reference', _ref: 'shop'},
}

const draftOf = (document: StoredDocument, fields: object): StoredDocument => ({
  ...document,
  ...fields,
  _id: `drafts.${document._id}`,
  _rev: '2',
})

const cases: [string, Review, StoredDocument[], fields: string[], forVisitors: string[]][] = [
  [
    'a script of a tool that pages offer',
    reviewOf('find'),
    [tool, draftOf(tool, {executeJs: 'return 2', pathPattern: '/boats/**'})],
    ['pathPattern', 'executeJs'],
    ['The tool “findBoats” on /boats/** changes: Pages, Script.'],
  ],
  [
    'a new tool',
    reviewOf('find'),
    [draftOf(tool, {})],
    Object.keys(tool).slice(3),
    ['New tool “findBoats” on /boats.'],
  ],
  [
    'a script of a tool that is off',
    reviewOf('find'),
    [{...tool, enabled: false}, draftOf(tool, {enabled: false, executeJs: 'return 2'})],
    ['executeJs'],
    [],
  ],
  [
    'unpublishing',
    reviewOf('find', {action: 'unpublish'}),
    [tool],
    Object.keys(tool).slice(3),
    ['The tool “findBoats” goes from /boats.'],
  ],
  [
    'fields that no form shows',
    reviewOf('find'),
    [tool, draftOf(tool, {_hidden: 1, other: 2, _createdAt: '2001-01-01T00:00:00Z', _updatedAt: 'x'})],
    ['_hidden', 'other'],
    [],
  ],
  [
    'another type',
    reviewOf('find'),
    [tool, draftOf(tool, {_type: 'page'})],
    ['_type'],
    ['The tool “findBoats” goes from /boats: It belongs to another site.'],
  ],
  ['switching the review off', reviewOf('shop'), [tool, draftOf(site, {review: 'none'})], ['review'], []],
]

for (const [name, request, documents, fields, forVisitors] of cases) {
  test(`what a review of ${name} is about`, () => {
    const {changes, forVisitors: sentences} = reviewedIn(request, [site, ...documents], fieldTitle)
    assert.deepEqual(
      changes.flatMap((change) => change.fields.map(({field}) => field)),
      fields,
    )
    assert.deepEqual(sentences, forVisitors)
  })
}

test('what a review of a release is about', () => {
  const versionOf = (id: string, fields: object) => ({
    ...tool,
    ...fields,
    _id: `versions.rSale.${id}`,
    _rev: '2',
  })
  const gone = {...tool, _id: 'go', name: 'goAway'}
  const documents = [
    ...[site, tool, gone],
    draftOf(tool, {executeJs: 'return 3'}),
    versionOf('find', {executeJs: 'return 2'}),
    versionOf('new', {name: 'newTool'}),
    versionOf('go', {name: 'goAway', _system: {delete: true}}),
  ]
  const revisions = (document: string, before?: string) => ({
    ...{document, before, draftRevision: '2', after: `after ${document}`},
  })
  const review = reviewOf('_.releases.rSale', {
    release: 'rSale',
    changes: [revisions('find', '1'), revisions('new'), revisions('go', '1')],
  })
  const {changes, forVisitors, isAsRequested, isBaseAsRequested} = reviewedIn(review, documents, fieldTitle)
  assert.deepEqual(
    changes.map(({id, fields, after, revision}) => [id, fields[0]?.after, after?._id, revision]),
    [
      ['find', 'return 2', 'find', 'after find'],
      ['new', 'newTool', 'new', 'after new'],
      ['go', undefined, undefined, 'after go'],
    ],
  )
  assert.deepEqual(forVisitors, [
    'The tool “findBoats” on /boats changes: Script.',
    'The tool “goAway” goes from /boats.',
    'New tool “newTool” on /boats.',
  ])
  assert.deepEqual([isAsRequested, isBaseAsRequested], [true, true])
  const later = [...documents, versionOf('late', {name: 'late'})]
  assert.equal(reviewedIn(review, later, fieldTitle).isAsRequested, false)
  const published = documents.map((one) => (one === tool ? {...tool, _rev: '7'} : one))
  assert.equal(reviewedIn(review, published, fieldTitle).isBaseAsRequested, false)
})
