import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {StoredDocument} from '../../schemas/documents.ts'
import {needsReview, needsTests} from '../../schemas/review.ts'

const site = (id: string, fields: Record<string, unknown> = {}): StoredDocument => ({
  _id: id,
  _type: 'site',
  _rev: '1',
  publicId: 'public-id',
  ...fields,
})
const tool = (fields: Record<string, unknown> = {}): StoredDocument => ({
  _id: 'tool',
  _type: 'tool',
  _rev: '1',
  name: 'search',
  executeJs: 'return 1',
  pathPattern: '/**',
  site: {_type: 'reference', _ref: 'open'},
  ...fields,
})
const on = (siteId: string) => ({site: {_type: 'reference', _ref: siteId}})

/** The published sites before the change. */
const sites: Record<string, StoredDocument> = {
  open: site('open'),
  scripts: site('scripts', {review: 'scripts'}),
  all: site('all', {review: 'all'}),
  tests: site('tests', {review: 'tests'}),
  broken: site('broken', {review: true}),
}

const cases: [string, StoredDocument | undefined, StoredDocument | undefined, boolean][] = [
  ['a change on a site without review', tool(), tool({name: 'other'}), false],
  ['a new tool on a site without review', undefined, tool(), false],
  ['a new tool of a missing site', undefined, tool(on('missing')), false],
  ['a new name where all changes count', tool(on('all')), tool({...on('all'), name: 'other'}), true],
  ['a new tool where all changes count', undefined, tool(on('all')), true],
  ['a deleted tool where all changes count', tool(on('all')), undefined, true],
  ['a new name where tests count', tool(on('tests')), tool({...on('tests'), name: 'other'}), true],
  ['a setting that cannot be read', tool(on('broken')), tool({...on('broken'), name: 'other'}), true],
  ['a new title where scripts count', tool(on('scripts')), tool({...on('scripts'), title: 'Other'}), false],
  ...[
    ...['name', 'pathPattern', 'inputSchema', 'annotations', 'exposedTo', 'offeredWhile'],
    ...['executeJs', 'action', 'request', 'reading', 'link'],
  ].map((field): (typeof cases)[number] => [
    `another ${field} of a tool, which decides what runs, where, or whether the visitor is asked`,
    tool(on('scripts')),
    tool({...on('scripts'), [field]: 'other'}),
    true,
  ]),
  ...['name', 'pagePath', 'selector', 'autosubmit', 'fields', 'offeredWhile'].map(
    (field): (typeof cases)[number] => [
      `another ${field} of a form tool, which decides what is sent without a person`,
      {...tool(on('scripts')), _type: 'formTool'},
      {...tool(on('scripts')), _type: 'formTool', [field]: 'other'},
      true,
    ],
  ),
  ...['publicId', 'addresses', 'askBefore', 'reportCalls'].map((field): (typeof cases)[number] => [
    `another ${field} of a site where scripts count`,
    sites.scripts,
    site('scripts', {review: 'scripts', [field]: 'other'}),
    true,
  ]),
  ['a new tool where scripts count', undefined, tool(on('scripts')), true],
  ['a deleted tool where scripts count', tool(on('scripts')), undefined, true],
  ['a tool that leaves a site with review', tool(on('scripts')), tool(on('open')), true],
  ['a tool that comes to a site with review', tool(on('open')), tool(on('all')), true],
  ['switching the review on', sites.open, site('open', {review: 'all'}), false],
  ['a new site with review', undefined, site('new', {review: 'all'}), false],
  ['switching the review off', sites.all, site('all', {review: 'none'}), true],
  ['switching the review of scripts off', sites.scripts, site('scripts'), true],
  [
    'switching a site off where scripts count',
    sites.scripts,
    {...site('scripts', {review: 'scripts'}), enabled: false},
    false,
  ],
  ['switching a site off', sites.all, site('all', {review: 'all', enabled: false}), false],
  [
    'switching a site off whose review cannot be read',
    sites.broken,
    site('broken', {review: true, enabled: false}),
    false,
  ],
  [
    'switching a site off with its draft',
    {...site('all', {review: 'all', enabled: true}), _createdAt: '2001'},
    {...site('all', {review: 'all', enabled: false}), _id: 'drafts.all', _rev: '2', _createdAt: '2002'},
    false,
  ],
  ['switching a site on', site('all', {review: 'all', enabled: false}), sites.all, true],
  [
    'switching a site off and renaming it',
    sites.all,
    site('all', {review: 'all', enabled: false, name: 'other'}),
    true,
  ],
  ['switching a site off and its review', sites.all, site('all', {enabled: false}), true],
  [
    'switching a site off with another date of creation',
    sites.all,
    {...site('all', {review: 'all', enabled: false}), _createdAt: '2001'},
    true,
  ],
  [
    'a change of a site that is off',
    site('all', {review: 'all', enabled: false}),
    site('all', {review: 'all', enabled: false, name: 'other'}),
    true,
  ],
  ['taking the switch away', site('all', {review: 'all', enabled: false}), sites.all, true],
  ['a switch that cannot be read', sites.all, site('all', {review: 'all', enabled: 'no'}), true],
  ['switching a tool off', tool({...on('all'), enabled: true}), tool({...on('all'), enabled: false}), false],
  ['switching a tool on', tool({...on('all'), enabled: false}), tool({...on('all'), enabled: true}), true],
  [
    'switching a tool off and changing its script',
    tool({...on('all'), enabled: true}),
    tool({...on('all'), enabled: false, executeJs: 'return 2'}),
    true,
  ],
  [
    'switching a tool off and moving it',
    tool({...on('all'), enabled: true}),
    tool({...on('open'), enabled: false}),
    true,
  ],
  ['a new tool that is off', undefined, tool({...on('all'), enabled: false}), true],
  [
    'switching a form tool off',
    {...tool({...on('all'), enabled: true}), _type: 'formTool'},
    {...tool({...on('all'), enabled: false}), _type: 'formTool'},
    false,
  ],
  [
    'a tool that becomes a form tool that is off',
    tool({...on('all'), enabled: true}),
    {...tool({...on('all'), enabled: false}), _type: 'formTool'},
    true,
  ],
  [
    'another order of the members of a reference',
    tool({...on('scripts'), site: {_ref: 'scripts', _type: 'reference'}}),
    tool({...on('scripts'), site: {_type: 'reference', _ref: 'scripts'}}),
    false,
  ],
  ['deleting a site with review', sites.scripts, undefined, true],
  ['a document of another type', {_id: 'note', _type: 'note', _rev: '1'}, undefined, false],
  ['a changed type under one id', tool(on('scripts')), {...tool(on('scripts')), _type: 'formTool'}, true],
]

for (const [name, before, after, expected] of cases) {
  test(`${name} ${expected ? 'needs' : 'needs no'} review`, () => {
    assert.equal(
      needsReview({before, after}, (id) => sites[id]),
      expected,
    )
  })
}

const tested = (fields: Record<string, unknown> = {}) =>
  tool({...on('tests'), enabled: true, tests: [{title: 'Works'}], ...fields})

const testCases: [string, StoredDocument | undefined, boolean][] = [
  ['a tool', tested(), true],
  ['a form tool', {...tested(), _type: 'formTool'}, true],
  ['a tool without tests', tested({tests: []}), false],
  ['a tool that is off', tested({enabled: false}), false],
  ['a tool that is deleted', undefined, false],
  ['a tool of a site where every change needs a review', tested(on('all')), false],
  ['a tool of a missing site', tested(on('missing')), false],
  ['a site', sites.tests, false],
]
for (const [name, after, expected] of testCases) {
  test(`${name} ${expected ? 'needs' : 'needs no'} tests that passed`, () => {
    assert.equal(
      needsTests({after}, (id) => sites[id]),
      expected,
    )
  })
}
