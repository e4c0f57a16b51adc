import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {openShop} from '../support/visit.ts'

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
