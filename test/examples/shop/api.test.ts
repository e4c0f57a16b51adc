import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {openShop} from './support/visit.ts'

const ADA = {name: 'Ada', address: 'Quay 1, 1234 Harbour', email: 'ada@example.com'}

describe('the API of the demo shop', () => {
  test('finds products by words, category and price', async (t) => {
    const ada = (await openShop(t)).visitor()
    const searches: [query: string, found: string][] = [
      ['q=rope', 'mooring-rope'],
      ['q=waterproof+jackets', 'oilskin-jacket'],
      ['q=WATERPROOF&maxPrice=150', 'deck-boots,binoculars'],
      ['q=rope&category=clothing', ''],
      ['q=%20&category=&maxPrice=14.5', 'enamel-mug'],
      ['limit=2', 'mooring-rope,harbour-fender'],
    ]
    for (const [query, found] of searches) {
      const {body} = await ada.api(`/api/products?${query}`)
      assert.equal(body.products.map(({id}) => id).join(), found, query)
    }
    assert.equal((await ada.api('/api/products?limit=1')).body.total, 12)
  })

  test('adds up a cart, each size separately, for one visitor with a cookie of the shop’s', async (t) => {
    const {visitor} = await openShop(t)
    const [ada, charles] = [visitor(), visitor()]
    ada.cookie = `harbour_supply=${'A'.repeat(22)}`
    const chosen = ada.cookie
    await ada.api('/api/cart', {productId: 'mooring-rope', quantity: 1})
    assert.notEqual(ada.cookie, chosen)
    for (const size of ['M', 'S'])
      await ada.api('/api/cart', {productId: 'oilskin-jacket', size, quantity: 1})
    const {body} = await ada.api('/api/cart', {productId: 'mooring-rope', quantity: 2})
    assert.deepEqual(
      body.lines.map(({name, size, quantity, sum}) => [name, size, quantity, sum]),
      [
        ['Mooring Rope', undefined, 3, 144],
        ['Oilskin Jacket', 'M', 1, 189],
        ['Oilskin Jacket', 'S', 1, 189],
      ],
    )
    assert.deepEqual([body.count, body.total], [5, 522])
    assert.equal((await charles.api('/api/cart')).body.count, 0)
    assert.equal(charles.cookie, undefined)
  })

  const REFUSED: [path: string, body: unknown, status: number, message: RegExp][] = [
    ['/api/cart', {productId: 'ring-buoy', quantity: 0}, 400, /^"quantity" must be >= 1\.$/],
    ['/api/cart', {productId: '__proto__', quantity: 1}, 404, /^There is no product "__proto__"/],
    ['/api/cart', {productId: 'oilskin-jacket', quantity: 1}, 400, /^Say which size: .* S, M, L, XL\.$/],
    ['/api/cart', {productId: 'ring-buoy', quantity: 7}, 409, /^Only 6 of Ring Buoy are in stock/],
    ['/api/cart', {productId: 'a'.repeat(100_000)}, 413, /./],
    ['/api/orders', {...ADA, email: 'a@b@c.example'}, 400, /^"email" must match format "email"/],
    ['/api/orders', ADA, 409, /empty/],
    ['/api/products?maxPrice=cheap', undefined, 400, /^"maxPrice" must be number/],
    ['/api/products/nope/reviews', undefined, 404, /^There is no product "nope"/],
  ]
  test('says what is wrong with a request, and opens no cart for it', async (t) => {
    const ada = (await openShop(t)).visitor()
    for (const [path, sent, status, message] of REFUSED) {
      const {status: found, body} = await ada.api(path, sent)
      assert.equal(found, status, `${path} ${body.error.code}`)
      assert.match(body.error.message, message)
      assert.equal(ada.cookie, undefined)
    }
  })

  test('accepts nothing from a page of another site', async (t) => {
    const ada = (await openShop(t)).visitor()
    const headers = {'sec-fetch-site': 'cross-site'}
    const {status} = await ada.submit('/cart', {productId: 'enamel-mug', quantity: '1'}, headers)
    assert.deepEqual([status, ada.cookie], [403, undefined])
  })

  test('takes an order, which its visitor sees and no other, and sells nothing twice', async (t) => {
    const {visitor, mails} = await openShop(t)
    const [ada, charles] = [visitor(), visitor()]
    for (const buyer of [ada, charles]) await buyer.api('/api/cart', {productId: 'ring-buoy', quantity: 4})
    const {status, body} = await ada.api('/api/orders', ADA)
    assert.equal(status, 201)
    assert.deepEqual([body.number, body.total, body.url], ['HS-1001', 256, '/orders/HS-1001'])
    assert.deepEqual(mails(), [
      {
        to: 'ada@example.com',
        replyTo: 'hello@harbour-supply.example',
        subject: 'Your order HS-1001',
        text: '4 × Ring Buoy. Total: 256.00 EUR. To: Ada, Quay 1, 1234 Harbour.',
      },
    ])
    assert.equal((await ada.api('/api/cart')).body.count, 0)
    assert.match(await ada.page('/orders/HS-1001'), /Thank you, Ada/)
    assert.equal((await charles.ask('/orders/HS-1001')).status, 404)
    const late = await charles.api('/api/orders', ADA)
    assert.match(late.body.error.message, /^Only 2 of Ring Buoy are in stock; the cart would have 4\.$/)
    assert.equal((await charles.api('/api/cart')).body.count, 4)
    assert.equal(mails().length, 1)
  })
})
