import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {html} from '../../../examples/shop/pages/html.ts'
import {openShop} from './support/visit.ts'

const ATTACK = `"><script>alert('&')</script>`
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;'
const ADA = {name: 'Ada', address: 'Quay 1', email: 'ada@example.com'}

describe('every page', () => {
  const PAGES: [path: string, status: number, title: string][] = [
    ['/', 200, 'Gear for small boats'],
    ['/products', 200, 'Products'],
    ['/cart', 200, 'Cart'],
    ['/newsletter/subscribed', 200, 'One more step'],
    ['/products/rope', 404, 'Not found'],
    ['/orders/HS-1001', 404, 'Not found'],
    ['/nothing', 404, 'Not found'],
    ['/%E0%A4%A', 400, 'That did not work'],
  ]
  test('embeds the snippet, and allows no other third-party script', async (t) => {
    const {visitor} = await openShop(t)
    for (const [path, status, title] of PAGES) {
      const answer = await visitor().ask(path)
      assert.equal(answer.status, status, path)
      assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
      assert.equal(answer.headers.get('set-cookie'), null)
      const policy = answer.headers.get('content-security-policy') ?? ''
      assert.match(policy, /^default-src 'none'; script-src 'self' http:\/\/service\.example; /)
      assert.match(policy, /require-trusted-types-for 'script'/)
      const page = await answer.text()
      assert.ok(page.includes(`<title>${title} · Harbour Supply</title>`), path)
      const tag =
        '<script async crossorigin src="http://service.example/snippet.js" data-site="demo-shop" data-panel></script>'
      assert.ok(page.includes(tag))
      assert.deepEqual(
        Array.from(page.matchAll(/<script[^>]*>([^<]*)/g), ([, inline]) => inline),
        ['', ''],
      )
      assert.doesNotMatch(page, /\sstyle=|\son\w+=/)
    }
  })
})

describe('user content', () => {
  test('is inserted in a template as text, also in attributes, and nested templates as markup', () => {
    const row = html`<b title="${ATTACK}">${ATTACK}</b>`
    assert.equal(
      html`<p>${[row, undefined, false, 7]}</p>`.text,
      `<p><b title="${ESCAPED}">${ESCAPED}</b>7</p>`,
    )
  })

  test('is shown as text: search words, reviews, redisplayed form fields', async (t) => {
    const {visitor} = await openShop(t)
    const ada = visitor()
    const search = await ada.page(`/products?q=${encodeURIComponent(ATTACK)}`)
    assert.ok(search.includes(`value="${ESCAPED}"`))
    assert.match(await ada.page('/products/mooring-rope'), /Would buy again &lt;3/)
    const unknown = await ada.page(`/products/${encodeURIComponent('<b>')}`)
    assert.match(unknown, /There is no product &quot;&lt;b&gt;&quot;/)
    await ada.submit('/cart', {productId: 'enamel-mug', quantity: '1'})
    const order = await ada.submit('/orders', {name: ATTACK, address: 'Quay 1', email: 'nowhere'})
    const contact = await ada.submit('/contact', {name: ATTACK, email: 'x', subject: 'y', message: ATTACK})
    for (const answer of [order, contact]) {
      const page = await answer.text()
      assert.ok(page.includes(ESCAPED))
      assert.ok(!page.includes(ATTACK))
    }
    const {body} = await ada.api('/api/orders', {...ADA, name: ATTACK})
    assert.ok((await ada.page(body.url)).includes(`Thank you, ${ESCAPED}`))
  })
})

describe('without JavaScript', () => {
  test('a visitor searches, fills the cart, changes it and orders', async (t) => {
    const {visitor, mails} = await openShop(t)
    const ada = visitor()
    const found = await ada.page('/products?q=jacket&category=&maxPrice=')
    assert.match(found, /One product/)
    assert.match(found, /href="\/products\/oilskin-jacket"/)

    const added = await ada.submit('/cart', {productId: 'oilskin-jacket', size: 'M', quantity: '2'})
    assert.deepEqual([added.status, added.headers.get('location')], [303, '/cart'])
    const cart = await ada.page('/cart')
    assert.match(cart, /Oilskin Jacket, M/)
    assert.match(cart, /<span data-cart-count>2<\/span>/)
    assert.match(cart, /€378\.00/)

    const line = {productId: 'oilskin-jacket', size: 'M'}
    assert.equal((await ada.submit('/cart/lines', {...line, quantity: '3'})).status, 303)
    assert.match(await ada.page('/cart'), /€567\.00/)
    await ada.submit('/cart', {productId: 'enamel-mug', quantity: '1'})
    await ada.submit('/cart/lines', {...line, quantity: '3', remove: 'yes'})
    assert.match(await ada.page('/cart'), /<strong>€14\.50<\/strong>/)

    const ordered = await ada.submit('/orders', ADA)
    assert.deepEqual([ordered.status, ordered.headers.get('location')], [303, '/orders/HS-1001'])
    const confirmation = await ada.page('/orders/HS-1001')
    assert.match(confirmation, /Thank you, Ada/)
    assert.match(confirmation, /Enamel Mug/)
    assert.match(await ada.page('/cart'), /Your cart is empty/)
    assert.equal(mails().length, 1)
  })

  const WRONG: [path: string, fields: Record<string, string>, status: number, said: RegExp][] = [
    ['/cart', {productId: 'binoculars', quantity: '1'}, 409, /is sold out/],
    ['/contact', {name: 'Ada'}, 400, /must have required property &#39;email&#39;/],
  ]
  test('a form with a mistake shows a page that says what is wrong', async (t) => {
    const {visitor, mails} = await openShop(t)
    for (const [path, fields, status, said] of WRONG) {
      const answer = await visitor().submit(path, fields)
      assert.equal(answer.status, status, path)
      assert.match(await answer.text(), said)
    }
    assert.deepEqual(mails(), [])
  })
})

test('a form sent by a script gets JSON, with the problems if there are any', async (t) => {
  const {visitor} = await openShop(t)
  const headers = {accept: 'application/json'}
  const answer = await visitor().submit('/newsletter', {email: 'ada@example.com'}, headers)
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /^\{"message":"We sent you an email/)
  const wrong = await visitor().submit('/contact', {name: 'Ada'}, headers)
  assert.equal(wrong.status, 400)
  assert.deepEqual(await wrong.json(), {
    error: {code: 'INVALID_INPUT', message: "The input must have required property 'email'."},
  })
})
