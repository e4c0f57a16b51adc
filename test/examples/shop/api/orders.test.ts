import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {openShop} from '../support/visit.ts'

const ADA = {name: 'Ada', address: 'Quay 1, 1234 Harbour', email: 'ada@example.com'}

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
