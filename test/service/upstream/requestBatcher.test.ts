import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {type TestContext, test} from 'node:test'
import {SiteError} from '../../../service/errors.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {UpstreamCircuitBreaker} from '../../../service/upstream/circuitBreaker.ts'
import {createLakeClient} from '../../../service/upstream/client.ts'
import {revisionOf} from '../../../service/upstream/siteDocument.ts'
import {createSiteSource} from '../../../service/upstream/source.ts'

const names = Array.from({length: 40}, (_, number) => `site-${number}`)
const BAD = 'site-17'

const revisionsOf = (publicId: string) => ({_id: publicId, _rev: '1', publicId, tools: [], formTools: []})

/** An upstream that returns these sites for a query of revisions, and refuses if `isRefused` says so. */
async function sourceFor(
  t: TestContext,
  siteOf: (publicId: string) => unknown,
  isRefused = (_publicIds: string[]) => false,
) {
  const events = createServiceEvents()
  const states: string[] = []
  events.on('lake', (state) => states.push(state))
  const server = createServer((request, response) => {
    const {searchParams} = new URL(request.url ?? '', 'http://localhost')
    const publicIds: string[] = JSON.parse(searchParams.get('$publicIds') ?? '[]')
    response.writeHead(isRefused(publicIds) ? 400 : 200, {'content-type': 'application/json'})
    response.end(JSON.stringify({result: {sites: publicIds.map(siteOf)}, ms: 1}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const settings = {
    projectId: 'local',
    dataset: 'production',
    apiToken: undefined,
    apiHost: `http://127.0.0.1:${port}`,
  }
  return {source: createSiteSource(createLakeClient(settings), new UpstreamCircuitBreaker(events)), states}
}

async function assertOnlyBadOneFails({source, states}: Awaited<ReturnType<typeof sourceFor>>): Promise<void> {
  const results = await Promise.allSettled(names.map((publicId) => source.fetchRevision(publicId, 'known')))
  for (const [number, result] of results.entries()) {
    const publicId = names[number] ?? ''
    if (publicId === BAD) assert.ok(result.status === 'rejected' && result.reason instanceof SiteError)
    else assert.deepEqual(result, {status: 'fulfilled', value: revisionOf(revisionsOf(publicId))}, publicId)
  }
  assert.deepEqual(states, [], 'the circuit breaker stays closed')
}

test('a site with invalid revisions fails alone in a batch', async (t) => {
  const broken = {publicId: BAD, _id: 'x'}
  await assertOnlyBadOneFails(
    await sourceFor(t, (publicId) => (publicId === BAD ? broken : revisionsOf(publicId))),
  )
})

test('a site that makes upstream refuse a batch fails alone', async (t) => {
  await assertOnlyBadOneFails(await sourceFor(t, revisionsOf, (publicIds) => publicIds.includes(BAD)))
})
