import assert from 'node:assert/strict'
import {test} from 'node:test'
import {State} from '../../../content/state/state.ts'
import {type KnownRevisions, parseReport, summaryOf, TestReports} from '../../../lake/reports/testReports.ts'
import {runLake} from '../support/lake.ts'
import {accountsIn} from '../support/signIn.ts'

const GOOD = {id: 'search', name: 'searchProducts', passed: 3, failed: 0, problem: ''}
const BAD = {...GOOD, passed: 1, failed: 2, problem: 'GET /api/products returned 404.'}
const OTHER = {...GOOD, id: 'cart', name: 'viewCart'}

/** Which revisions of the tool "search" are published, and reviewed. */
function revisions(published?: string, reviewed?: string): KnownRevisions {
  return {
    published: (id) => (id === 'search' ? published : undefined),
    isReviewed: (id, revision) => id === 'search' && revision === reviewed,
  }
}

test('a tool fails since the first of the runs that failed one after the other', (t) => {
  const state = State.inMemory()
  t.after(() => state.close())
  let day = 0
  const reports = new TestReports(state, () => Date.UTC(2026, 0, day))
  const report = (...tools: (typeof GOOD)[]) => {
    day += 1
    reports.save('shop', {commit: 'abc1234', tools, isPartial: false}, revisions())
    const found = reports.find('shop')
    assert(found)
    return summaryOf(found)
  }
  assert.deepEqual(report(GOOD, OTHER), {
    at: '2026-01-01T00:00:00.000Z',
    commit: 'abc1234',
    passed: 6,
    failed: 0,
  })
  assert.equal(report(BAD, OTHER).failsSince, '2026-01-02T00:00:00.000Z')
  const later = report({...BAD, failed: 1}, {...BAD, id: 'cart'})
  assert.equal(later.failsSince, '2026-01-02T00:00:00.000Z')
  assert.equal(later.failed, 3)
  assert.equal(report(GOOD, {...BAD, id: 'cart'}).failsSince, '2026-01-03T00:00:00.000Z')
  assert.equal(report(GOOD, OTHER).failsSince, undefined)
  assert.equal(report(BAD, OTHER).failsSince, '2026-01-06T00:00:00.000Z')
})

test('results of a branch are kept for the review of that revision, and replace no last run', (t) => {
  const state = State.inMemory()
  t.after(() => state.close())
  const reports = new TestReports(state, () => 0)
  const live = {...GOOD, revision: 'a'}
  reports.save('shop', {commit: 'abc1234', tools: [live], isPartial: false}, revisions('a', 'b'))
  const changed = {commit: 'def5678', tools: [{...BAD, revision: 'b'}, OTHER], isPartial: false}
  reports.save('shop', changed, revisions('a', 'b'))
  assert.equal(reports.find('shop')?.commit, 'abc1234')
  const {id: document, name: _, ...counts} = BAD
  const expected = {document, revision: 'b', at: '1970-01-01T00:00:00.000Z', commit: 'def5678', ...counts}
  assert.deepEqual(reports.findReviewed('search', 'b'), expected)
  assert.deepEqual(reports.reviewedOf('shop'), [expected])
  assert.deepEqual(reports.reviewedOf('blog'), [])
  assert.equal(reports.findReviewed('search', 'a'), undefined)

  const none = {commit: '', tools: [{...GOOD, revision: 'b', passed: 0}], isPartial: false}
  reports.save('shop', none, revisions('a', 'b'))
  assert.equal(reports.findReviewed('search', 'b')?.failed, 2, 'no test ran')
  reports.save('shop', changed, revisions('b', undefined))
  assert.equal(reports.find('shop')?.commit, 'def5678', 'it was merged')
})

test('results of some tools count for a review, and replace no last run', (t) => {
  const state = State.inMemory()
  t.after(() => state.close())
  const reports = new TestReports(state)
  reports.save('shop', {commit: 'abc1234', tools: [BAD, OTHER], isPartial: false}, revisions())
  const some = {commit: 'def5678', tools: [{...GOOD, revision: 'b'}], isPartial: true}
  reports.save('shop', some, revisions('b', 'b'))
  assert.equal(reports.findReviewed('search', 'b')?.passed, GOOD.passed)
  assert.equal(reports.find('shop')?.commit, 'abc1234')
})

const WRONG: readonly [unknown, RegExp][] = [
  ['', /JSON object/],
  [{}, /"tools" must be a list/],
  [{commit: 'main', tools: []}, /"commit" must be the hash/],
  [{tools: [GOOD, GOOD]}, /two entries with the same "id"/],
  [{tools: [], partial: 'no'}, /"partial" must be true or false/],
  [{tools: [{...GOOD, failed: -1}]}, /"failed" of a tool must be a whole number/],
  [{tools: [{...GOOD, problem: 'x'.repeat(501)}]}, /"problem" of a tool must be a text of at most 500/],
  [{tools: Array(1_001).fill(GOOD)}, /the limit is 1000/],
]
for (const [report, message] of WRONG) {
  test(`a report is refused: ${message.source}`, () => {
    assert.throws(() => parseReport(report), {message})
  })
}

test('a token for reports of a site reports, and can neither read nor report other sites', async (t) => {
  const site = {_type: 'site', name: 'Shop'}
  const lake = await runLake(t, {
    'site/shop.json': {_id: 'shop', ...site},
    'site/blog.json': {_id: 'blog', ...site},
  })
  const accounts = accountsIn(lake.stateFolder)
  const reporter = await accounts.tokens.add('CI', [{role: 'reporter', sites: ['shop']}])
  const viewer = await accounts.tokens.add('viewer', [{role: 'viewer', sites: 'all'}])
  const send = async (method: string, path: string, token: string, body?: unknown) => {
    const response = await fetch(`${lake.address}/v1${path}`, {
      method,
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      ...(body !== undefined && {body: JSON.stringify(body)}),
    })
    return {status: response.status, text: await response.text()}
  }
  const report = {commit: 'abc1234', tools: [BAD]}
  assert.equal((await send('PUT', '/tests/shop', reporter, report)).status, 204)
  assert.equal((await send('PUT', '/tests/blog', reporter, report)).status, 403)
  assert.equal((await send('PUT', '/tests/shop', viewer, report)).status, 403)
  assert.match((await send('PUT', '/tests/shop', reporter, {tools: 1})).text, /\\"tools\\" must be a list/)
  for (const path of ['/tests', '/tests/shop', '/data/query/production?query=*', '/access/me'])
    assert.equal((await send('GET', path, reporter)).status, 403, path)
  const {sites} = JSON.parse((await send('GET', '/tests', viewer)).text)
  assert.deepEqual(
    sites.map(({at: _, failsSince: __, ...one}: Record<string, unknown>) => one),
    [{site: 'shop', commit: 'abc1234', passed: 1, failed: 2}],
  )
  const found = JSON.parse((await send('GET', '/tests/shop', viewer)).text)
  assert.equal(found.report.tools[0].problem, BAD.problem)
  assert.equal((await send('GET', '/tests/blog', viewer)).text, '{"report":null,"reviewed":[]}')
})
