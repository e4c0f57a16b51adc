import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {isDeepStrictEqual} from 'node:util'
import {eventually} from '../../support/eventually.ts'
import {type House, runHouse, startHouse} from '../../support/house.ts'
import {metricsOf} from '../../support/metrics.ts'
import {plainGet} from '../../support/network/plainGet.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

/** A response as received, without the parts that change with time alone. */
async function ask(url: string, {'accept-encoding': accepted, ...more}: Record<string, string> = {}) {
  const answer = await plainGet(url, accepted, undefined, more)
  const {date: _date, age, ...others} = answer.headers
  const headers: typeof answer.headers = {...others, age: age === undefined ? 'none' : 'some'}
  return {...answer, headers}
}

const documents = [
  siteDocument(),
  toolDocument({pathPattern: '/**', description: 'Searches all products of the shop. '.repeat(50)}),
  toolDocument({_id: 'cart', name: 'onCart', pathPattern: '/cart/*'}),
  toolDocument({_id: 'umlaut', name: 'umlaut', pathPattern: '/Jäger/{a,b}+c'}),
]

/** An extra query parameter, which pages do not send, makes the router handle the request. */
const THROUGH_ROUTER = '&v=1'

describe('the hot path', () => {
  let house: House
  let config: string

  before(async () => {
    house = await startHouse(documents)
    config = `${house.serviceAddress}/api/sites/shop-public/config`
  })
  after(() => house.close())

  test('responds as the router does, byte for byte', async () => {
    const {headers} = await ask(`${config}?path=/`)
    const tag = String(headers.etag)
    const paths = [
      '',
      '/',
      '/cart',
      '/cart/1',
      '/cart/1/',
      '/cart/1&check=1',
      '/cart/1&check',
      'cart/1',
      '/cart/a%2Fb',
      '/cart%2F1',
      '/cart/%',
      '/cart/%zz',
      '/cart/%25zz',
      '/cart/1?page=2',
      '/cart/1%3Fpage=2',
      '/cart/1%23part',
      '/cart/a=b',
      '/cart/a;b',
      '/cart/a+b',
      '/J%C3%A4ger/a+c',
      '/J%C3%A4ger/a%2Bc',
      '/J%C3%A4ger/b%2Bc',
      '/J%E4ger/b%2Bc',
      `/cart/${'a'.repeat(2_042)}`,
      `/cart/${'a'.repeat(2_043)}`,
      `/cart/${'%61'.repeat(2_042)}`,
      `/cart/${'%61'.repeat(2_043)}`,
    ]
    const requestHeaders: Record<string, string>[] = [
      {},
      {origin: 'https://shop.example'},
      {'accept-encoding': 'br'},
      {'accept-encoding': 'gzip, deflate'},
      {'if-none-match': tag},
      {'if-none-match': `W/${tag}`},
      {'if-none-match': '*', 'accept-encoding': 'br'},
      {'if-none-match': '"other"'},
    ]
    const statuses = new Set<number | undefined>()
    for (const path of paths)
      for (const sent of requestHeaders) {
        // Only the second request may find the encoding: it is made in the background of the first.
        const pair = async () => [
          await ask(`${config}?path=${path}`, sent),
          await ask(`${config}?path=${path}${THROUGH_ROUTER}`, sent),
        ]
        const [hot, routed] = await eventually(pair, ([one, other]) => isDeepStrictEqual(one, other))
        assert.deepEqual(hot, routed)
        statuses.add(hot?.status)
      }
    assert.deepEqual([...statuses].sort(), [200, 304])
    assert.deepEqual(await ask(config), await ask(`${config}?v=1`), 'without a path')
  })

  // test/service/specification/endpoint.test.ts has the other requests that it leaves to the router.
  test('leaves another spelling of the address to the router', async () => {
    assert.equal((await ask(`${house.serviceAddress}/api/sites/shop%2Dpublic/config?path=/`)).status, 200)
  })

  test('counts each response once, whichever path it took', async () => {
    const count = async () => {
      const {samples} = await metricsOf(house.serviceAddress)
      const route = 'route="/api/sites/:publicId/config"'
      return [`handrail_http_requests_total{${route},status="200"}`, 'handrail_config_age_seconds_count'].map(
        (series) => samples.get(series) ?? 0,
      )
    }
    const before = await count()
    for (const query of ['?path=/', `?path=/${THROUGH_ROUTER}`, '?path=/']) await ask(config + query)
    const after = await eventually(count, ([answers = 0]) => answers >= (before[0] ?? 0) + 3)
    assert.deepEqual(
      after.map((value, index) => value - (before[index] ?? 0)),
      [3, 3],
    )
  })
})

test('the hot path and the router share one limit', async (t) => {
  const house = await runHouse(t, documents, {RATE_LIMIT_MAX: '5'})
  const config = `${house.serviceAddress}/api/sites/shop-public/config?path=/`
  const statuses: (number | undefined)[] = []
  for (const suffix of ['', THROUGH_ROUTER, '', THROUGH_ROUTER, '', '', THROUGH_ROUTER])
    statuses.push((await ask(config + suffix)).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429])
  const {samples} = await metricsOf(house.serviceAddress)
  const answers = ['hit', 'miss'].map((from) => samples.get(`handrail_site_requests_total{answer="${from}"}`))
  assert.deepEqual(answers, [4, 1], 'a refused request gets no config')
})
