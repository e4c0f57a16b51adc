import assert from 'node:assert/strict'
import {test} from 'node:test'
import {checkSite} from '../../../advice/diagnosis/site.ts'
import type {StoredDocument} from '../../../schemas/documents.ts'
import type {Review} from '../../../studio/review/review.ts'
import {toolRows} from '../../../studio/site/toolRows.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {reviewOf, stored} from '../support/reviews.ts'

const site = stored(siteDocument())
const tool = stored(toolDocument({name: 'getTides', pathPattern: '/tides'}))
const draft = {...tool, _id: `drafts.${tool._id}`, _updatedAt: '2026-11-21T10:00:00Z'}

const review = (fields: Partial<Review> = {}) => reviewOf(tool._id, fields)

const ROWS: [what: string, documents: StoredDocument[], reviews: Review[], row: string[]][] = [
  [
    'a published tool',
    [tool],
    [],
    ['tool', 'getTides', 'Offered', 'positive', '/tides', '2026-11-20T10:00:00Z', ''],
  ],
  [
    'a tool whose draft moves to another page and waits for a review',
    [tool, {...draft, pathPattern: '/sea'}],
    [review()],
    [
      'tool',
      'getTides',
      'Offered, draft waits',
      'positive',
      '/tides, /sea in the draft',
      '2026-11-21T10:00:00Z',
      'Waits for a review',
    ],
  ],
  [
    'a tool that was published after its draft, as after the restore of a backup',
    [{...tool, _updatedAt: '2026-11-22T10:00:00Z'}, draft],
    [],
    ['tool', 'getTides', 'Draft is outdated', 'critical', '/tides', '2026-11-22T10:00:00Z', ''],
  ],
  [
    'a new tool that was sent back',
    [draft],
    [review({isSentBack: true})],
    ['tool', 'getTides', 'Not on pages', 'caution', '/tides', '2026-11-21T10:00:00Z', 'Sent back'],
  ],
  [
    'a tool that somebody asks to delete',
    [tool],
    [review({action: 'delete'})],
    [
      'tool',
      'getTides',
      'Offered',
      'positive',
      '/tides',
      '2026-11-20T10:00:00Z',
      'Waits for a review to delete it',
    ],
  ],
  [
    'a broken form tool',
    [
      stored({
        _id: 'form',
        _type: 'formTool',
        name: 'sendForm',
        pagePath: '/form',
        selector: 'form[',
        enabled: true,
        description: 'Sends the form to the harbour master.',
        site: {_type: 'reference', _ref: site._id},
      }),
    ],
    [],
    ['formTool', 'sendForm', 'Left out: Selector', 'critical', '/form', '2026-11-20T10:00:00Z', ''],
  ],
]

for (const [what, documents, reviews, expected] of ROWS) {
  test(`the row of ${what}`, () => {
    const all = [site, ...documents]
    const rows = toolRows(checkSite(site._id, all), all, reviews)
    assert.deepEqual(
      rows.map(({type, name, state, pages, changedAt, review: waits}) => [
        type,
        name,
        state.label,
        state.tone,
        pages,
        changedAt,
        waits,
      ]),
      [expected],
    )
  })
}
