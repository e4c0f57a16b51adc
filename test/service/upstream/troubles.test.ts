import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import {SiteError, UpstreamError} from '../../../service/errors.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {UpstreamCircuitBreaker} from '../../../service/upstream/circuitBreaker.ts'
import {createUpstreamClient} from '../../../service/upstream/client.ts'
import {createSiteSource} from '../../../service/upstream/source.ts'
import {type Fault, type FaultyNetwork, startFaultyNetwork} from '../../support/network/network.ts'
import {troubles} from '../faults/troubles.ts'

// What a query makes of each fault of upstream. What visitors receive then is tested in cache/sites.test.ts.

/** Milliseconds after which a query counts as failed, where no response comes. */
const SHORT_TIMEOUT = 50

/** The response to a probe. */
const NO_SITES: Fault = {
  kind: 'answer',
  status: 200,
  contentType: 'application/json',
  body: '{"result": {"sites": []}}',
}

describe('a query', () => {
  let network: FaultyNetwork
  before(async () => {
    // No fault reaches what is after the network.
    network = await startFaultyNetwork('http://127.0.0.1:1')
  })
  after(() => network.close())
  beforeEach(async () => {
    network.cut()
    await network.close()
    await network.plug()
    network.queries.length = 0
    network.probes = 0
  })

  function ask(queryTimeout?: number, apiHost = network.address) {
    const breaker = new UpstreamCircuitBreaker(createServiceEvents(), {queryTimeout})
    const settings = {
      projectId: 'local',
      dataset: 'production',
      apiToken: undefined,
      serviceTokenFile: undefined,
      apiHost,
    }
    const source = createSiteSource(createUpstreamClient(settings), breaker)
    const query = () =>
      source.fetchSite('shop-public', 'known').then(
        () => assert.fail('it is answered'),
        (error: unknown) => error,
      )
    return {breaker, query}
  }

  for (const [name, {fault, asked, isSlow}] of Object.entries(troubles)) {
    test(`fails if upstream ${name}, and is sent ${asked === 2 ? 'twice' : 'once'} at most`, async () => {
      if (fault === 'unplugged') await network.unplug()
      else network.fault = fault
      const {query} = ask(isSlow && SHORT_TIMEOUT)
      const error = await query()
      assert.ok(error instanceof UpstreamError)
      assert.equal(error instanceof SiteError, name === 'returns 404', error.stack)
      // With a short timeout, a busy machine may not send it in time.
      assert.ok(network.queries.length === asked || (isSlow && network.queries.length === 0))
    })
  }

  test('fails if the host name of upstream cannot be resolved', async () => {
    const error = await ask(undefined, 'http://lake.invalid:3333').query()
    assert.ok(error instanceof UpstreamError && !(error instanceof SiteError))
  })

  for (const status of [401, 403, 429])
    test(`with status ${status} concerns all sites: the circuit breaker opens after three`, async () => {
      network.fault = {kind: 'answer', status, contentType: 'application/json', body: '{}'}
      const {breaker, query} = ask()
      for (let number = 0; number < 5; number++) await query()
      assert.equal(network.queries.length, 3)
      assert.equal(breaker.state, 'failing')
    })

  for (const [name, fault] of [
    ['hangs', {kind: 'hang'}],
    ['closes every connection', {kind: 'refuse'}],
    ['returns 408', {kind: 'answer', status: 408, contentType: 'application/json', body: '{}'}],
    ['returns 200 with a list', {kind: 'answer', status: 200, contentType: 'application/json', body: '[]'}],
    ['returns 500', {kind: 'answer', status: 500, contentType: 'application/json', body: '{}'}],
  ] satisfies [string, Fault][]) {
    test(`is followed by a probe if upstream ${name}: the circuit breaker opens if that fails too`, async () => {
      network.fault = fault
      const {breaker, query} = ask(fault.kind === 'hang' ? SHORT_TIMEOUT : undefined)
      assert.ok(!((await query()) instanceof SiteError))
      const sent = network.probes
      assert.ok(sent > 0 || fault.kind === 'hang')
      assert.equal(breaker.state, 'failing')
      await query()
      assert.equal(network.probes, sent)
    })

    // A site for which upstream hangs is in faults/slowUpstream.test.ts: there, no probe is slow because the machine is.
    if (fault.kind === 'hang') continue
    test(`concerns its site only if upstream ${name} for that one, but responds to a probe`, async () => {
      network.fault = (url) => (url.includes('tag=handrail.probe') ? NO_SITES : fault)
      const {breaker, query} = ask()
      for (let number = 0; number < 5; number++) assert.ok((await query()) instanceof SiteError)
      assert.equal(network.probes, 5)
      assert.equal(breaker.state, 'answering')
    })
  }

  for (const status of [400, 404, 413, 422])
    test(`with status ${status} concerns its site only: the circuit breaker stays closed`, async () => {
      network.fault = {kind: 'answer', status, contentType: 'application/json', body: '{}'}
      const {breaker, query} = ask()
      for (let number = 0; number < 5; number++) assert.ok((await query()) instanceof SiteError)
      assert.equal(network.queries.length, 5)
      assert.equal(breaker.state, 'answering')
    })
})
