import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {openShop} from './support/visit.ts'

const ADA = {name: 'Ada', address: 'Quay 1, 1234 Harbour', email: 'ada@example.com'}

describe('products', () => {
  const SEARCHES: [query: string, found: string[]][] = [
    ['q=rope', ['mooring-rope']],
    ['q=waterproof+jackets', ['oilskin-jacket']],
    ['q=WATERPROOF&maxPrice=150', ['deck-boots', 'binoculars']],
    ['q=rope&category=clothing', []],
    ['category=navigation', ['hand-compass', 'binoculars']],
    ['q=%20&category=&maxPrice=14.5', ['enamel-mug']],
    ['maxPrice=14.49', []],
    ['limit=2', ['mooring-rope', 'harbour-fender']],
    ['q=fisherman%27s', ['wool-jumper']],
  ]
  for (const [query, found] of SEARCHES) {
    test(`?${query} finds ${found.join(', ') || 'nothing'}`, async (t) => {
      const {visitor} = await openShop(t)
      const {status, body} = await visitor().api(`/api/products?${query}`)
      assert.equal(status, 200)
      assert.deepEqual(
        body.products.map(({id}) => id),
        found,
      )
    })
  }

  test('a list says how many more there are', async (t) => {
    const {visitor} = await openShop(t)
    const {body} = await visitor().api('/api/products?limit=1')
    assert.equal(body.total, 12)
    assert.deepEqual(body.products, [
      {
        id: 'mooring-rope',
        name: 'Mooring Rope',
        category: 'On deck',
        price: 48,
        currency: 'EUR',
        stock: 24,
        url: '/products/mooring-rope',
      },
    ])
  })

  test('a product has its sizes, its rating and its number of reviews', async (t) => {
    const {visitor} = await openShop(t)
    const {body} = await visitor().api('/api/products/oilskin-jacket')
    assert.deepEqual(body.sizes, ['S', 'M', 'L', 'XL'])
    assert.deepEqual([body.rating, body.reviews, body.stock], [4, 3, 11])
    assert.match(body.description, /^A waterproof jacket/)
  })

  test('reviews are sorted newest first, and limited to the requested number', async (t) => {
    const {visitor} = await openShop(t)
    const {body} = await visitor().api('/api/products/mooring-rope/reviews?limit=2')
    assert.deepEqual(body.product, {id: 'mooring-rope', name: 'Mooring Rope'})
    assert.ok(Array.isArray(body.reviews))
    assert.deepEqual(
      body.reviews.map(({author, date}) => [author, date]),
      [
        ['Marit', '2026-05-02'],
        ['Jonas W.', '2026-03-19'],
      ],
    )
    assert.equal(body.total, 3)
  })

  const REFUSED: [path: string, status: number, code: string, message: RegExp][] = [
    [
      '/api/products?limit=0',
      400,
      'INVALID_INPUT',
      /^"limit" must be a whole number from 1 to 50; it was 0\.$/,
    ],
    ['/api/products?limit=many', 400, 'INVALID_INPUT', /^"limit" must be .*; it was "many"\.$/],
    ['/api/products?limit=1e1', 400, 'INVALID_INPUT', /^"limit"/],
    ['/api/products?maxPrice=-1', 400, 'INVALID_INPUT', /^"maxPrice" must be a price in euros, 0 or more/],
    ['/api/products?maxPrice=cheap', 400, 'INVALID_INPUT', /^"maxPrice".*"cheap"\.$/],
    ['/api/products?category=boats', 400, 'INVALID_INPUT', /^"category" must be one of deck, clothing, /],
    ['/api/products?category=toString', 400, 'INVALID_INPUT', /^"category"/],
    ['/api/products?q=a&q=b', 400, 'INVALID_INPUT', /^"q" must be a text; it was \["a","b"\]\.$/],
    [
      `/api/products?q=${'a'.repeat(201)}`,
      400,
      'INVALID_INPUT',
      /^"q" can have at most 200 characters; this one has 201\.$/,
    ],
    ['/api/products/nope', 404, 'UNKNOWN_PRODUCT', /^There is no product "nope". Search for its ID first.$/],
    ['/api/products/nope/reviews', 404, 'UNKNOWN_PRODUCT', /"nope"/],
    ['/api/products/rope/reviews?limit=x', 404, 'UNKNOWN_PRODUCT', /"rope"/],
    ['/api/products/ring-buoy/reviews?limit=x', 400, 'INVALID_INPUT', /^"limit"/],
    ['/api/%E0%A4%A', 400, 'INVALID_INPUT', /./],
    ['/api/nothing', 404, 'NOT_FOUND', /^There is nothing at this URL\.$/],
  ]
  for (const [path, status, code, message] of REFUSED) {
    test(`GET ${path.slice(0, 60)} is refused: ${code}`, async (t) => {
      const {visitor} = await openShop(t)
      const answer = await visitor().api(path)
      assert.equal(answer.status, status)
      assert.equal(answer.body.error.code, code)
      assert.match(answer.body.error.message, message)
    })
  }
})

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

describe('an order', () => {
  test('empties the cart and the stock, is confirmed by email, and is visible to its visitor only', async (t) => {
    const {visitor, mails} = await openShop(t)
    const [ada, charles] = [visitor(), visitor()]
    await ada.api('/api/cart', {productId: 'ring-buoy', quantity: 2})
    const {status, body} = await ada.api('/api/orders', ADA)
    assert.equal(status, 201)
    assert.deepEqual([body.number, body.total, body.url], ['HS-1001', 128, '/orders/HS-1001'])
    assert.deepEqual([body.name, body.address, body.email], [ADA.name, ADA.address, ADA.email])
    assert.equal((await ada.api('/api/cart')).body.count, 0)
    assert.equal((await charles.api('/api/products/ring-buoy')).body.stock, 4)
    assert.deepEqual(mails(), [
      {
        to: 'ada@example.com',
        replyTo: 'hello@harbour-supply.example',
        subject: 'Your order HS-1001',
        text: '2 × Ring Buoy. Total: 128.00 EUR. To: Ada, Quay 1, 1234 Harbour.',
      },
    ])
    assert.match(await ada.page('/orders/HS-1001'), /Thank you, Ada/)
    await charles.api('/api/cart', {productId: 'enamel-mug', quantity: 1})
    assert.equal((await charles.ask('/orders/HS-1001')).status, 404)
    assert.equal((await visitor().ask('/orders/HS-1001')).status, 404)
    assert.equal(
      (await ada.api('/api/orders', ADA)).body.error.code,
      'EMPTY_CART',
      'a second order buys nothing',
    )
  })

  test('sells nothing if another visitor has bought one of its items in the meantime', async (t) => {
    const {visitor, mails} = await openShop(t)
    const [ada, charles] = [visitor(), visitor()]
    for (const buyer of [ada, charles]) {
      await buyer.api('/api/cart', {productId: 'enamel-mug', quantity: 1})
      await buyer.api('/api/cart', {productId: 'ring-buoy', quantity: 4})
    }
    assert.equal((await ada.api('/api/orders', ADA)).status, 201)
    const {status, body} = await charles.api('/api/orders', ADA)
    assert.equal(status, 409)
    assert.match(body.error.message, /^Only 2 of Ring Buoy are in stock; the cart would have 4\.$/)
    assert.equal((await charles.api('/api/cart')).body.count, 5)
    assert.equal((await charles.api('/api/products/enamel-mug')).body.stock, 59)
    assert.equal(mails().length, 1)
  })

  const REFUSED: [body: unknown, message: RegExp][] = [
    [{...ADA, address: undefined}, /^"address" is missing\.$/],
    [{...ADA, address: '  '}, /^"address" is empty\.$/],
    [{...ADA, name: undefined}, /^"name" is missing\.$/],
    [{...ADA, name: {}}, /^"name" must be a text; it was \{\}\.$/],
    [{...ADA, email: 'ada'}, /^"email" must be an address such as ada@example\.com; it was "ada"\.$/],
    [{...ADA, email: 'a@b@c.example'}, /^"email"/],
    [{...ADA, address: 'x'.repeat(501)}, /^"address" can have at most 500 characters; this one has 501\.$/],
    [null, /^Send a JSON object\.$/],
  ]
  for (const [body, message] of REFUSED) {
    test(`${String(JSON.stringify(body)).slice(0, 60)} is refused, and the cart stays`, async (t) => {
      const {visitor} = await openShop(t)
      const ada = visitor()
      await ada.api('/api/cart', {productId: 'enamel-mug', quantity: 1})
      const answer = await ada.api('/api/orders', body)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error.code, 'INVALID_INPUT')
      assert.match(answer.body.error.message, message)
      assert.equal((await ada.api('/api/cart')).body.count, 1)
    })
  }

  test('of an empty cart is refused', async (t) => {
    const {visitor} = await openShop(t)
    const {status, body} = await visitor().api('/api/orders', ADA)
    assert.deepEqual([status, body.error.code], [409, 'EMPTY_CART'])
  })
})
