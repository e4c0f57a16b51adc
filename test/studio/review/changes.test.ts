import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {StoredDocument} from '../../../schemas/documents.ts'
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
    ['The tool “findBoats” on /boats/** changes: Path pattern, Script.'],
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
    const {changes, forVisitors: sentences} = reviewedIn(request, [site, ...documents])
    assert.deepEqual(
      changes.flatMap((change) => change.fields.map(({field}) => field)),
      fields,
    )
    assert.deepEqual(sentences, forVisitors)
  })
}

test('what a review of a release is about', () => {
  const versionOf = (id: string, fields: object) => ({...tool, ...fields, _id: `versions.r.${id}`, _rev: '2'})
  const documents = [
    ...[site, tool, draftOf(tool, {executeJs: 'return 3'})],
    versionOf('find', {_system: {delete: true}}),
    versionOf('new', {name: 'newTool'}),
  ]
  const own = {draftRevision: '2', after: 'a'}
  const changes = [
    {...own, document: 'find', before: '1'},
    {...own, document: 'new', before: undefined},
  ]
  const review = reviewOf('_.releases.r', {release: 'r', changes})
  const found = reviewedIn(review, documents)
  assert.deepEqual(
    found.changes.map(({id, after, revision}) => [id, after?.name, revision]),
    [
      ['find', undefined, 'a'],
      ['new', 'newTool', 'a'],
    ],
  )
  assert.deepEqual(found.forVisitors, [
    'The tool “findBoats” goes from /boats.',
    'New tool “newTool” on /boats.',
  ])
  assert.deepEqual([found.isAsRequested, found.isBaseAsRequested], [true, true])
  const later = [...documents, {...tool, _rev: '7'}, versionOf('late', {name: 'late'})]
  const {isAsRequested, isBaseAsRequested} = reviewedIn(review, later)
  assert.deepEqual([isAsRequested, isBaseAsRequested], [false, false])
})
