import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import {UpstreamError} from '../../../service/errors.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {UpstreamCircuitBreaker} from '../../../service/upstream/circuitBreaker.ts'
import {createUpstreamClient} from '../../../service/upstream/client.ts'
import {siteRevisionOf} from '../../../service/upstream/siteDocument.ts'
import {createSiteSource, type SiteSource} from '../../../service/upstream/source.ts'
import type {ContentDocument} from '../../support/content.ts'
import {type ContentLake, startContentLake} from '../../support/contentLake.ts'
import {listeningLog} from '../../support/log.ts'
import {type FaultyNetwork, startFaultyNetwork} from '../../support/network/network.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const names = Array.from({length: 40}, (_, number) => `site-${number}`)

/** Sites of one tool each, except the last. Of two sites with one public ID the younger is a copy. */
function documents(): ContentDocument[] {
  return names
    .slice(1)
    .flatMap((publicId) => [
      siteDocument({_id: publicId, publicId}),
      toolDocument({_id: `tool-of-${publicId}`, site: {_ref: publicId, _type: 'reference'}}),
    ])
}

describe('sites of a lake', () => {
  let lake: ContentLake
  let network: FaultyNetwork
  let source: SiteSource
  before(async () => {
    const copy = siteDocument({_id: 'a-copy', publicId: 'site-1', name: 'Copy'})
    lake = await startContentLake([...documents(), copy], listeningLog().log)
    network = await startFaultyNetwork(lake.address)
  })
  beforeEach(() => {
    network.fault = {kind: 'none'}
    network.queries.length = 0
    const settings = {
      projectId: 'local',
      dataset: 'production',
      apiToken: lake.serviceToken,
      serviceTokenFile: undefined,
      apiHost: network.address,
    }
    source = createSiteSource(
      createUpstreamClient(settings),
      new UpstreamCircuitBreaker(createServiceEvents()),
    )
  })
  after(async () => {
    await network.close()
    await lake.close()
  })

  test('the revisions of many sites are fetched in one query, and equal those of the full results', async () => {
    const revisions = await source.fetchRevisions(names, 'known')
    assert.equal(network.queries.length, 1)
    assert.equal(revisions.get('site-0'), siteRevisionOf(null), 'a site that does not exist')
    for (const publicId of names) {
      const document = await source.fetchSite(publicId, 'known')
      assert.equal(revisions.get(publicId), siteRevisionOf(document), publicId)
    }
  })

  test('of two sites with one public ID, the served one is fetched, and otherwise the first', async () => {
    // Both are of one commit, so their ids decide.
    for (const [served, expected] of [
      [undefined, 'a-copy'],
      ['gone', 'a-copy'],
      ['site-2', 'a-copy'],
      ['site-1', 'site-1'],
    ] as const) {
      const document = await source.fetchSite('site-1', 'known', served)
      assert.equal(document?._id, expected)
      const known = served === undefined ? undefined : new Set([served])
      const revisions = await source.fetchRevisions(['site-1', 'site-2'], 'known', known)
      assert.equal(revisions.get('site-1'), siteRevisionOf(document))
    }
  })

  test('what changed since a date is fetched for all sites, with the number of documents', async () => {
    const {now, count, changed, undated} = await source.fetchChanges('2000-01-01T00:00:00Z')
    assert.ok(Math.abs(Date.parse(now) - Date.now()) < 60_000)
    assert.equal(count, documents().length + 1)
    assert.equal(changed.length, count)
    assert.match(undated ?? '', /^s1:undated-/)
    const {_id, publicId} = changed.find(({_id}) => _id === 'tool-of-site-7') ?? {}
    assert.deepEqual([_id, publicId], ['tool-of-site-7', 'site-7'])
    const later = new Date(Date.parse(now) + 2_000).toISOString()
    assert.equal((await source.fetchChanges(later)).changed.length, 0)
  })

  test('a result with anything but the requested sites fails for all of them, and later queries succeed', async () => {
    const body = JSON.stringify({result: {sites: [{_id: 'somebody', _rev: '1'}]}, ms: 1})
    network.fault = (url) =>
      url.includes('tag=handrail.revision')
        ? {kind: 'answer', status: 200, contentType: 'application/json', body}
        : {kind: 'none'}
    await assert.rejects(source.fetchRevisions(names, 'known'), UpstreamError)
    network.fault = {kind: 'none'}
    assert.equal((await source.fetchRevisions(names, 'known')).size, names.length)
  })

  test('a site with invalid revisions is missing in the result, and the others are not', async () => {
    const good = {_id: 'a', _rev: '1', publicId: 'site-1', tools: [], formTools: []}
    const body = JSON.stringify({result: {sites: [good, {_id: 'b', publicId: 'site-2'}]}, ms: 1})
    network.fault = {kind: 'answer', status: 200, contentType: 'application/json', body}
    const revisions = await source.fetchRevisions(['site-1', 'site-2'], 'known')
    assert.deepEqual([...revisions], [['site-1', siteRevisionOf(good)]])
  })
})
