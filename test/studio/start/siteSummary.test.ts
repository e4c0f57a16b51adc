import assert from 'node:assert/strict'
import {test} from 'node:test'
import {evaluate, parse} from 'groq-js'
import {checkSite} from '../../../advice/diagnosis/site.ts'
import {groupVersions, parseDocuments, type StoredDocument} from '../../../schemas/documents.ts'
import type {Review} from '../../../studio/review/review.ts'
import {ALL_SITES, summarize, summarizeSite} from '../../../studio/start/siteSummary.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {reviewOf, stored} from '../support/reviews.ts'

const site = stored(siteDocument())
const tool = stored(toolDocument())
const others = stored(siteDocument({_id: 'other', name: 'Zoo', publicId: 'zoo'}))

const review = (fields: Partial<Review>) => reviewOf(tool._id, fields)

/** What the first page says of all sites. */
async function summaries(dataset: StoredDocument[], reviews: Review[] = []) {
  const {query = '', params} = ALL_SITES
  const found = await (await evaluate(parse(query, {params}), {dataset, params, timestamp: new Date()})).get()
  return summarize(parseDocuments(found), reviews)
}

/** What the page of a site says. */
function summaryOf(documents: StoredDocument[], reviews: Review[] = []) {
  const [versions] = groupVersions(documents).filter(({id}) => id === site._id)
  assert.ok(versions)
  return summarizeSite(versions, 'Shop', checkSite(site._id, documents), reviews)
}

test('a site counts the reviews that wait and those that were sent back, its own only', async () => {
  const reviews = [
    review({}),
    review({document: 'second'}),
    review({document: 'third', isSentBack: true}),
    review({sites: ['other']}),
  ]
  const [shop, zoo] = await summaries([site, tool, others], reviews)
  assert.deepEqual([shop?.reviews, shop?.sentBack, zoo?.reviews], [2, 1, 1])
})

test('a site that is switched off says so, and that nothing is offered', async () => {
  const off = [{...site, enabled: false}, tool]
  for (const summary of [summaryOf(off), ...(await summaries(off))])
    assert.deepEqual(
      [summary.isOff, summary.tools, summary.problems],
      [true, 1, ['No tool is offered, because the site is switched off.']],
    )
  assert.equal(summaryOf([site, tool]).isOff, false)
})

test('tools count that pages can get now, by their times, and not by drafts and versions', async () => {
  const documents = [
    site,
    tool,
    stored(toolDocument({_id: 'drafts.search', offeredWhile: {until: '2020-01-01T00:00:00Z'}})),
    stored(toolDocument({_id: 'versions.summer.search'})),
    stored(toolDocument({_id: 'over', name: 'getOld', offeredWhile: {until: '2020-01-01T00:00:00Z'}})),
    stored(toolDocument({_id: 'early', name: 'getNew', offeredWhile: {from: '2999-01-01T00:00:00Z'}})),
    stored(
      toolDocument({_id: 'now', name: 'getNow', offeredWhile: {from: '2020-01-01T00:00:00Z', has: ['a']}}),
    ),
    stored(toolDocument({_id: 'off', name: 'getOff', enabled: false})),
    stored(toolDocument({_id: 'drafts.off', name: 'getOff', enabled: false})),
    stored(formToolDocument({_id: 'drafts.form', name: 'sendNew'})),
    stored(formToolDocument()),
  ]
  const figures = {tools: 2, formTools: 1, off: 1, drafts: 3}
  for (const {tools, formTools, off, drafts} of [summaryOf(documents), ...(await summaries(documents))])
    assert.deepEqual({tools, formTools, off, drafts}, figures)
})

test('of 120 sites all are shown, by name, and a copy says which site has its public ID', async () => {
  const many = Array.from({length: 120}, (_, number) =>
    stored(siteDocument({_id: `s${number}`, name: `Site ${number}`, publicId: `public-${number % 119}`})),
  )
  const sites = await summaries(many)
  assert.equal(sites.length, 120)
  assert.deepEqual(
    sites.flatMap(({name, problems}) => problems.map((problem) => [name, problem])),
    [['Site 119', 'No tool is offered, because the older site “Site 0” has the same public ID.']],
  )
})

test('a tool that is left out is named with the reason', () => {
  const {leftOut} = summaryOf([site, {...tool, executeJs: 'return {'}])
  assert.deepEqual(
    leftOut.map(({id, type, name}) => [id, type, name]),
    [[tool._id, 'tool', tool.name]],
  )
  assert.match(leftOut[0]?.why ?? '', /^Its field “Script” breaks a rule: .*\.$/)
})
