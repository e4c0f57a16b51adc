import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {StoredDocument} from '../../../schemas/documents.ts'
import type {Review} from '../../../studio/review/review.ts'
import {summarize} from '../../../studio/start/siteSummary.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {reviewOf, stored} from '../support/reviews.ts'

const site = stored(siteDocument())
const tool = stored(toolDocument())

const review = (fields: Partial<Review>) => reviewOf(tool._id, fields)

const [summaryOf, others] = [
  (documents: StoredDocument[], reviews: Review[] = []) => {
    const [summary] = summarize(documents, reviews, [])
    assert.ok(summary)
    return summary
  },
  stored(siteDocument({_id: 'other', name: 'Zoo', publicId: 'zoo'})),
]

test('a site counts the reviews that wait and those that were sent back, its own only', () => {
  const {reviews, sentBack} = summaryOf(
    [site, tool, others],
    [
      review({}),
      review({document: 'second'}),
      review({document: 'third', isSentBack: true}),
      review({sites: ['other']}),
    ],
  )
  assert.deepEqual([reviews, sentBack], [2, 1])
})

test('a site that is switched off says so, and that nothing is offered', () => {
  const {isOff, tools, problems} = summaryOf([{...site, enabled: false}, tool])
  assert.deepEqual(
    [isOff, tools, problems],
    [true, 1, ['No tool is offered, because the site is switched off.']],
  )
  assert.equal(summaryOf([site, tool]).isOff, false)
})

test('a tool that is left out is named with the reason', () => {
  const {leftOut} = summaryOf([site, {...tool, executeJs: 'return {'}])
  assert.deepEqual(
    leftOut.map(({id, type, name}) => [id, type, name]),
    [[tool._id, 'tool', tool.name]],
  )
  assert.match(leftOut[0]?.why ?? '', /^Its field “Script” breaks a rule: .*\.$/)
})
