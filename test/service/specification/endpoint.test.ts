import assert from 'node:assert/strict'
import {randomUUID} from 'node:crypto'
import {after, before, describe, test} from 'node:test'
import {ageOf, configOf, errorOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, runHouse, startHouse} from '../../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'

/** docs/specification.md over real HTTP: requests, caching, CORS, errors. */
describe('endpoint of the specification', () => {
  let house: House
  const siteAddress = () => `${house.serviceAddress}/api/sites/shop-public/config`

  before(async () => {
    house = await startHouse([
      siteDocument(),
      toolDocument({_id: 'all', name: 'everywhere', pathPattern: '/**'}),
      toolDocument({_id: 'products', name: 'onProducts', pathPattern: '/products/**'}),
      toolDocument({_id: 'cart', name: 'onCart', pathPattern: '/cart'}),
      formToolDocument(),
    ])
  })
  after(() => house.close())

  const toolNames = async (path?: string) => (await configOf(house.config('shop-public', path))).names

  test('request: path selects the tools of that page only', async () => {
    assert.deepEqual(await toolNames('/'), ['everywhere'])
    assert.deepEqual(await toolNames('/products/7'), ['everywhere', 'onProducts'])
    assert.deepEqual(await toolNames('/products'), ['everywhere', 'onProducts'])
    assert.deepEqual(await toolNames('/cart'), ['everywhere', 'onCart'])
    assert.deepEqual(await toolNames('/contact'), ['everywhere', 'contactUs'])
  })

  test('request: without path, every enabled tool of the site', async () => {
    assert.deepEqual(await toolNames(), ['everywhere', 'onCart', 'onProducts', 'contactUs'])
  })

  test('request: a path given twice is refused by name', async () => {
    const twice = await fetch(`${siteAddress()}?path=/a&path=/b`)
    assert.deepEqual(await errorOf(twice), {
      status: 400,
      code: 'BAD_REQUEST',
      message: 'The request is malformed: "path" is given more than once.',
    })
  })

  test('request: a path of more than 2,048 characters gets the tools of all pages', async () => {
    assert.deepEqual(await toolNames(`/cart/${'a'.repeat(2_048)}`), ['everywhere'])
    assert.deepEqual(await toolNames(`/${'a/'.repeat(1_500)}`), ['everywhere'])
  })

  test('response: JSON with ETag, Cache-Control and Age; clients learn how long an idle connection is kept', async () => {
    const response = await house.config('shop-public', '/')
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(response.headers.get('keep-alive'), 'timeout=72')
    assert.match(response.headers.get('etag') ?? '', /^"[\x21\x23-\x7e]+"$/)
    // It counts from the last sign of life of live events, which is at most ten seconds ago.
    assert.ok(ageOf(response) <= 11)
  })

  test('caching: Cache-Control is public, max-age=60', async () => {
    assert.equal((await house.config('shop-public')).headers.get('cache-control'), 'public, max-age=60')
  })

  test('caching: Age is rounded up, so that a minute by Age is never longer than a minute', async () => {
    await house.config('shop-public', '/')
    house.pass(2)
    assert.ok(ageOf(await house.config('shop-public', '/')) >= 3)
  })

  test('caching: If-None-Match gets 304 without a body, and the headers of the 200 (RFC 9110 §15.4.5)', async () => {
    const first = await house.config('shop-public', '/')
    const tag = first.headers.get('etag') ?? ''
    const second = await house.config('shop-public', '/', {headers: {'if-none-match': tag}})
    assert.equal(second.status, 304)
    assert.equal(await second.text(), '')
    for (const header of ['etag', 'cache-control', 'access-control-allow-origin', 'vary']) {
      assert.equal(second.headers.get(header), first.headers.get(header), header)
    }
    assert.match(second.headers.get('age') ?? '', /^\d+$/)
    assert.equal(second.headers.get('content-type'), null)
  })

  test('RFC 9110 §13.2.1: a condition is ignored if the response without it is not 2xx', async () => {
    const response = await house.config('no-such-site', '/', {headers: {'if-none-match': '*'}})
    assert.equal(response.status, 404)
  })

  test('caching: a publish that changes nothing on this page returns 304 here, and 200 on pages it changes', async () => {
    const tagOf = async (path: string) => (await house.config('shop-public', path)).headers.get('etag') ?? ''
    const [home, cart] = [await tagOf('/'), await tagOf('/cart')]
    await house.repository.commit([
      toolDocument({_id: 'cart', name: 'onCart', pathPattern: '/cart', description: 'Changed.'}),
    ])
    await eventually(
      async () => (await house.config('shop-public', '/cart', {headers: {'if-none-match': cart}})).status,
      200,
    )
    const unchanged = await house.config('shop-public', '/', {headers: {'if-none-match': home}})
    assert.equal(unchanged.status, 304)
  })

  test('CORS: every origin may read responses, errors included, and sees ETag, Age and Retry-After', async () => {
    for (const publicId of ['shop-public', 'no-such-site']) {
      const {headers} = await house.config(publicId, '/', {headers: {origin: 'https://any.example'}})
      assert.equal(headers.get('access-control-allow-origin'), '*')
      assert.equal(headers.get('access-control-expose-headers'), 'ETag, Age, Date, Retry-After')
      assert.equal(headers.get('access-control-allow-credentials'), null)
    }
  })

  test('CORS: pages may send any header, such as those of tracing, and the preflight may be cached', async () => {
    const paths = ['config', 'config?path=/', `tools/${randomUUID()}/${'0'.repeat(64)}.js`]
    for (const url of [...paths.map((path) => `api/sites/shop-public/${path}`), 'snippet.js', 'preview.js']) {
      const {status, headers} = await fetch(`${house.serviceAddress}/${url}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://any.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers':
            'authorization,baggage,if-none-match,traceparent,x-datadog-trace-id',
        },
      })
      assert.equal(status, 204, url)
      assert.equal(headers.get('access-control-allow-origin'), '*')
      // `*` covers every header but `Authorization`, in requests without credentials.
      assert.equal(headers.get('access-control-allow-headers'), '*, Authorization')
      assert.equal(headers.get('access-control-allow-credentials'), null)
      assert.match(headers.get('access-control-allow-methods') ?? '', /GET/)
      assert.equal(headers.get('access-control-max-age'), '7200')
    }
  })

  test('HEAD responds as GET, without the body', async () => {
    const get = await house.config('shop-public', '/')
    const head = await house.config('shop-public', '/', {method: 'HEAD'})
    assert.equal(head.status, 200)
    assert.equal(await head.text(), '')
    for (const header of ['etag', 'cache-control', 'content-type', 'content-length']) {
      assert.equal(head.headers.get(header), get.headers.get(header), header)
    }
  })

  for (const url of ['api/sites/shop-public/config?path=/', 'snippet.js', 'preview.js'])
    for (const method of ['GET', 'HEAD'])
      test(`304 of ${method} /${url} has no length of its own (RFC 9110 §8.6)`, async () => {
        const headers = {'if-none-match': '*'}
        const response = await fetch(`${house.serviceAddress}/${url}`, {method, headers})
        assert.deepEqual([response.status, response.headers.get('content-length')], [304, null])
      })

  test('other methods get 405 with Allow, whatever the body', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const response = await fetch(siteAddress(), {
        method,
        ...(method === 'POST' ? {body: 'x', headers: {'content-type': 'text/unheard-of'}} : {}),
      })
      assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS')
      const {status, code} = await errorOf(response)
      assert.deepEqual([status, code], [405, 'METHOD_NOT_ALLOWED'], method)
    }
  })

  test('errors: 404 NOT_FOUND: a publicId that is unknown, malformed or too long', async () => {
    for (const publicId of ['no-such-site', '!', '%20', '%zz', 'a'.repeat(500), '..%2f..%2fetc']) {
      const {status, code} = await errorOf(house.config(publicId, '/'))
      assert.deepEqual([status, code], [404, 'NOT_FOUND'], publicId)
    }
  })
})

describe('failures of the specification', () => {
  test('errors: 500 INTERNAL_ERROR: the lake is unavailable, and the message contains nothing internal', async (t) => {
    const house = await runHouse(t, [siteDocument()])
    house.network.fault = {kind: 'refuse'}
    assert.deepEqual(await errorOf(house.config('shop-public', '/')), {
      status: 500,
      code: 'INTERNAL_ERROR',
      message: 'The service cannot respond right now. Try again later.',
    })
    const told = house.lines.filter(({level}) => level === 50)
    assert.deepEqual(
      told.map(({msg}) => msg),
      ['content lake unreachable; serving last known good configs, if there are any'],
    )
  })
})
