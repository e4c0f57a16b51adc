import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {LakeError} from '../../../service/errors.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {UpstreamCircuitBreaker} from '../../../service/upstream/circuitBreaker.ts'
import {createLakeClient} from '../../../service/upstream/client.ts'
import {revisionOf} from '../../../service/upstream/siteDocument.ts'
import {createSiteSource} from '../../../service/upstream/source.ts'
import type {ContentDocument} from '../../support/content.ts'
import {startContentLake} from '../../support/contentLake.ts'
import {eventually} from '../../support/house.ts'
import {listeningLog} from '../../support/log.ts'
import {startFaultyNetwork} from '../../support/network/network.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const names = Array.from({length: 120}, (_, number) => `site-${number}`)

/** Sites of one tool each, except the last. Of two sites with one public ID the younger is a copy. */
function documents(): ContentDocument[] {
  return names
    .slice(1)
    .flatMap((publicId) => [
      siteDocument({_id: publicId, publicId}),
      toolDocument({_id: `tool-of-${publicId}`, site: {_ref: publicId, _type: 'reference'}}),
    ])
}

async function sourceOf(t: TestContext) {
  const copy = siteDocument({_id: 'a-copy', publicId: 'site-1', name: 'Copy'})
  const lake = await startContentLake([...documents(), copy], listeningLog().log)
  t.after(() => lake.close())
  const network = await startFaultyNetwork(lake.address)
  t.after(() => network.close())
  const settings = {projectId: 'local', dataset: 'production', apiToken: undefined, apiHost: network.address}
  return {
    network,
    source: createSiteSource(createLakeClient(settings), new UpstreamCircuitBreaker(createServiceEvents())),
  }
}

test('the revisions of many sites are fetched in few queries, and equal those of the full results', async (t) => {
  const {source, network} = await sourceOf(t)
  const revisions = await Promise.all(names.map((publicId) => source.fetchRevision(publicId, 'known')))
  // Four at once, each for one site because no other request was waiting, then twenty together.
  assert.equal(network.queries.length, 4 + Math.ceil((names.length - 4) / 20))
  assert.equal(revisions[0], revisionOf(null), 'a site that does not exist')
  for (const [number, publicId] of names.entries()) {
    const {document} = await source.fetchSite(publicId, 'known', [])
    assert.equal(revisions[number], revisionOf(document), publicId)
  }
})

test('a few queries are sent one by one, and those for unknown sites always', async (t) => {
  const {source, network} = await sourceOf(t)
  for (const publicId of names.slice(0, 3)) await source.fetchRevision(publicId, 'known')
  assert.equal(network.queries.length, 3)
  await Promise.all(names.slice(0, 20).map((publicId) => source.fetchRevision(publicId, 'unknown')))
  assert.equal(network.queries.length, 23)
})

test('a result with anything but the requested sites fails for all of them, and later requests succeed', async (t) => {
  const {source, network} = await sourceOf(t)
  const body = JSON.stringify({result: {sites: [{_id: 'somebody', _rev: '1'}]}, ms: 1})
  network.fault = {kind: 'answer', status: 200, contentType: 'application/json', body}
  const asked = await Promise.allSettled(names.slice(0, 10).map((id) => source.fetchRevision(id, 'known')))
  for (const result of asked) assert.ok(result.status === 'rejected' && result.reason instanceof LakeError)
  network.fault = {kind: 'none'}
  const answered = await eventually(
    () => Promise.allSettled(names.slice(1, 10).map((id) => source.fetchRevision(id, 'known'))),
    (results) => results.every(({status}) => status === 'fulfilled'),
    5,
  )
  assert.equal(answered.length, 9)
})
