import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {openShop} from '../support/visit.ts'

describe('the cart', () => {
  test('adds up its items, each size separately', async (t) => {
    const {visitor} = await openShop(t)
    const ada = visitor()
    await ada.api('/api/cart', {productId: 'mooring-rope', quantity: 1})
    await ada.api('/api/cart', {productId: 'oilskin-jacket', size: 'M', quantity: 1})
    await ada.api('/api/cart', {productId: 'oilskin-jacket', size: 'S', quantity: 1})
    const added = await ada.api('/api/cart', {productId: 'mooring-rope', quantity: 2})
    assert.equal(added.status, 200)
    assert.deepEqual(await ada.api('/api/cart'), added)
    assert.deepEqual(added.body, {
      lines: [
        {productId: 'mooring-rope', name: 'Mooring Rope', quantity: 3, price: 48, sum: 144},
        {productId: 'oilskin-jacket', name: 'Oilskin Jacket', size: 'M', quantity: 1, price: 189, sum: 189},
        {productId: 'oilskin-jacket', name: 'Oilskin Jacket', size: 'S', quantity: 1, price: 189, sum: 189},
      ],
      count: 5,
      total: 522,
      currency: 'EUR',
    })
  })

  const REFUSED: [body: unknown, status: number, code: string, message: RegExp][] = [
    [
      {productId: 'ring-buoy', quantity: 0},
      400,
      'INVALID_INPUT',
      /^"quantity" must be a whole number from 1 to 20; it was 0\.$/,
    ],
    [{productId: 'ring-buoy', quantity: -1}, 400, 'INVALID_INPUT', /it was -1\.$/],
    [{productId: 'ring-buoy', quantity: 1.5}, 400, 'INVALID_INPUT', /it was 1\.5\.$/],
    [{productId: 'ring-buoy', quantity: 'two'}, 400, 'INVALID_INPUT', /it was "two"\.$/],
    [{productId: 'ring-buoy', quantity: '2'}, 400, 'INVALID_INPUT', /it was "2"\.$/],
    [{productId: 'ring-buoy', quantity: 21}, 400, 'INVALID_INPUT', /it was 21\.$/],
    [{productId: 'ring-buoy', quantity: null}, 400, 'INVALID_INPUT', /it was null\.$/],
    [{productId: 'ring-buoy'}, 400, 'INVALID_INPUT', /^"quantity" is missing\.$/],
    [{quantity: 1}, 400, 'INVALID_INPUT', /^"productId" is missing\.$/],
    [{productId: '', quantity: 1}, 400, 'INVALID_INPUT', /^"productId" is empty\.$/],
    [{productId: 7, quantity: 1}, 400, 'INVALID_INPUT', /^"productId" must be a text; it was 7\.$/],
    [[], 400, 'INVALID_INPUT', /^Send a JSON object\.$/],
    ['rope', 400, 'INVALID_INPUT', /^Send a JSON object\.$/],
    [{productId: 'rope', quantity: 1}, 404, 'UNKNOWN_PRODUCT', /^There is no product "rope"/],
    [{productId: '__proto__', quantity: 1}, 404, 'UNKNOWN_PRODUCT', /"__proto__"/],
    [
      {productId: 'oilskin-jacket', quantity: 1},
      400,
      'INVALID_INPUT',
      /^Say which size: Oilskin Jacket comes in S, M, L, XL\.$/,
    ],
    [
      {productId: 'oilskin-jacket', size: 'XS', quantity: 1},
      400,
      'INVALID_INPUT',
      /^There is no size "XS": /,
    ],
    [{productId: 'ring-buoy', size: 'M', quantity: 1}, 400, 'INVALID_INPUT', /leave "size" out\.$/],
    [
      {productId: 'ring-buoy', quantity: 7},
      409,
      'OUT_OF_STOCK',
      /^Only 6 of Ring Buoy are in stock; the cart would have 7\.$/,
    ],
    [{productId: 'binoculars', quantity: 1}, 409, 'OUT_OF_STOCK', /is sold out\.$/],
  ]
  for (const [body, status, code, message] of REFUSED) {
    test(`${JSON.stringify(body)} is refused: ${code}, and creates no cart`, async (t) => {
      const {visitor} = await openShop(t)
      const ada = visitor()
      const answer = await ada.api('/api/cart', body)
      assert.equal(answer.status, status)
      assert.equal(answer.body.error.code, code)
      assert.match(answer.body.error.message, message)
      assert.equal(ada.cookie, undefined)
    })
  }

  test('holds no more than the stock, across sizes and earlier additions', async (t) => {
    const {visitor} = await openShop(t)
    const ada = visitor()
    await ada.api('/api/cart', {productId: 'oilskin-jacket', size: 'M', quantity: 10})
    const {body} = await ada.api('/api/cart', {productId: 'oilskin-jacket', size: 'S', quantity: 2})
    assert.match(body.error.message, /^Only 11 of Oilskin Jacket are in stock; the cart would have 12\.$/)
    await ada.api('/api/cart', {productId: 'watch-cap', quantity: 20})
    const more = await ada.api('/api/cart', {productId: 'watch-cap', quantity: 1})
    assert.match(more.body.error.message, /^A cart can have at most 20 of Watch Cap; that would be 21\.$/)
    assert.equal((await ada.api('/api/cart')).body.count, 30)
  })

  test('belongs to one visitor, identified by an HttpOnly cookie', async (t) => {
    const {visitor} = await openShop(t)
    const [ada, charles] = [visitor(), visitor()]
    assert.equal((await ada.ask('/api/cart')).headers.get('set-cookie'), null, 'browsing needs no cookie')
    const body = JSON.stringify({productId: 'enamel-mug', quantity: 2})
    const init = {method: 'POST', headers: {'content-type': 'application/json'}, body}
    const cookie = (await ada.ask('/api/cart', init)).headers.get('set-cookie')
    assert.match(cookie ?? '', /^harbour_supply=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax$/)
    assert.equal((await charles.api('/api/cart')).body.count, 0)
    await charles.api('/api/cart', {productId: 'enamel-mug', quantity: 1})
    assert.equal((await charles.api('/api/cart')).body.count, 1)
    assert.equal((await ada.api('/api/cart')).body.count, 2)
    assert.notEqual(ada.cookie, charles.cookie)
  })

  test('a made-up cookie opens no cart, and is not adopted', async (t) => {
    const {visitor} = await openShop(t)
    const ada = visitor()
    const chosen = `harbour_supply=${'A'.repeat(22)}`
    ada.cookie = chosen
    assert.equal((await ada.api('/api/cart')).body.count, 0)
    await ada.api('/api/cart', {productId: 'enamel-mug', quantity: 1})
    assert.notEqual(ada.cookie, chosen)
  })

  test('accepts nothing from a page of another site', async (t) => {
    const {visitor} = await openShop(t)
    const ada = visitor()
    for (const site of ['cross-site', 'same-site']) {
      const answer = await ada.submit(
        '/cart',
        {productId: 'enamel-mug', quantity: '1'},
        {'sec-fetch-site': site},
      )
      assert.equal(answer.status, 403)
      assert.equal(answer.headers.get('set-cookie'), null)
    }
  })

  const BODIES: [what: string, type: string, body: string, status: number, code: string][] = [
    ['invalid JSON', 'application/json', '{"productId":', 400, 'INVALID_INPUT'],
    ['nothing', 'application/json', '', 400, 'INVALID_INPUT'],
    ['another type', 'text/plain', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['100 kB', 'application/json', JSON.stringify({productId: 'a'.repeat(100_000)}), 413, 'TOO_LARGE'],
  ]
  for (const [what, type, body, status, code] of BODIES) {
    test(`a body of ${what} is refused: ${code}`, async (t) => {
      const {visitor} = await openShop(t)
      const answer = await visitor().ask('/api/cart', {method: 'POST', headers: {'content-type': type}, body})
      assert.equal(answer.status, status)
      assert.equal(JSON.parse(await answer.text()).error.code, code)
    })
  }
})
