import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {eventually} from '../../support/eventually.ts'
import {type House, startHouse} from '../../support/house.ts'
import {type Exposition, metricsOf} from '../../support/metrics.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const config = 'route="/api/sites/:publicId/config"'

describe('metrics', () => {
  let house: House
  const value = async (series: string) => (await metricsOf(house.serviceAddress)).samples.get(series)

  before(async () => {
    house = await startHouse(
      [siteDocument(), toolDocument(), toolDocument({_id: 'broken', inputSchema: '{'})],
      {RATE_LIMIT_MAX: '5'},
    )
  })
  after(() => house.close())

  test('count responses by route and status, ages, and where configs come from', async () => {
    const {headers} = await house.config('shop-public')
    await house.config('shop-public', '/', {headers: {'if-none-match': headers.get('etag') ?? ''}})
    await house.config('no-such-site')
    await fetch(`${house.serviceAddress}/snippet.js`)
    await fetch(`${house.serviceAddress}/no/route/at/all`)
    for (let i = 0; i < 4; i++) await house.config('shop-public')

    const {types, samples} = await metricsOf(house.serviceAddress)
    const count = (route: string, status: number) =>
      samples.get(`handrail_http_requests_total{${route},status="${status}"}`)
    assert.deepEqual(
      [200, 304, 404, 429].map((status) => count(config, status)),
      [4, 1, 1, 1],
    )
    assert.equal(count('route="/snippet.js"', 200), 1)
    assert.equal(count('route="none"', 404), 1)
    assert.equal(types.get('handrail_http_request_duration_seconds'), 'histogram')
    assert.equal(samples.get(`handrail_http_request_duration_seconds_count{${config}}`), 7)
    assert.equal(samples.get(`handrail_http_request_duration_seconds_bucket{${config},le="+Inf"}`), 7)
    assert.equal(samples.get('handrail_config_age_seconds_count'), 5)
    assert.equal(samples.get('handrail_site_requests_total{answer="miss"}'), 2)
    assert.equal(samples.get('handrail_site_requests_total{answer="hit"}'), 4)
    assert.equal(samples.get('handrail_sites'), 1)
    assert.equal(samples.get('handrail_absent_sites'), 1)
    assert.equal(samples.get('handrail_invalid_documents'), 1)
    assert.equal(
      samples.get('handrail_upstream_query_duration_seconds_count{query="site",outcome="answered"}'),
      2,
    )
  })

  test('have no label with a value that a visitor chooses', async () => {
    const response = await fetch(`${house.serviceAddress}/metrics`)
    const text = await response.text()
    for (const chosen of ['shop-public', 'no-such-site', 'no/route'])
      assert.ok(!text.includes(chosen), chosen)
  })

  test('show that the lake fails', async () => {
    assert.equal(await value('handrail_upstream_answering'), 1)
    house.network.fault = {kind: 'answer', status: 500, contentType: 'application/json', body: '{}'}
    house.pass(61)
    let attempt = 0
    await eventually(async () => {
      await house.config(`unknown-${++attempt}`)
      return value('handrail_upstream_answering')
    }, 0)
    const {samples} = await metricsOf(house.serviceAddress)
    const seen = (series: string) => samples.get(series) ?? 0
    assert.ok(seen('handrail_refresh_failures_total{reason="upstream"}') >= 1)
    for (const query of ['site', 'probe'])
      assert.ok(
        seen(`handrail_upstream_query_duration_seconds_count{query="${query}",outcome="failed"}`) >= 1,
      )
    assert.ok(seen('handrail_oldest_site_age_seconds') >= 61)
  })

  test('measure the process, its event loop included, from the start', async () => {
    const {types, samples}: Exposition = await metricsOf(house.serviceAddress)
    assert.equal(types.get('process_cpu_seconds_total'), 'counter')
    assert.ok((samples.get('process_resident_memory_bytes') ?? 0) > 0)
    const lag = samples.get('nodejs_eventloop_lag_p99_seconds')
    assert.ok(lag !== undefined && lag >= 0 && lag < 60, `${lag} s`)
  })

  test('of two services in one process are counted separately', async (t) => {
    const other = await house.replica()
    t.after(() => other.close())
    const {samples} = await metricsOf(other.serviceAddress)
    assert.equal(samples.get(`handrail_http_requests_total{${config},status="200"}`), undefined)
  })
})
