import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {startShop} from '../../../examples/shop/shop.ts'
import {FORM_TOOL_RECIPES, TOOL_RECIPES} from '../../../schemas/recipes/recipes.ts'
import {eventually} from '../../support/eventually.ts'
import {listeningLog} from '../../support/log.ts'
import {cartCount, type Demo, seesTools, startDemo} from './support/demo.ts'

/** What an editor of the shop changes in the recipes: what advice names, and the names in the answers of its API. */
const CHANGES = [
  ['/api/your-search', '/api/products'],
  ['/api/your-results', '/api/products'],
  ['/your-results', '/products'],
  ['/api/your-cart', '/api/cart'],
  ['/api/your-orders', '/api/cart'],
  ['.your-account', 'main ul.lines'],
  ['yourOrders', 'lines'],
  ['"path":"date"', '"path":"productId"'],
  ['yourResults', 'products'],
  ['"path":"title"', '"path":"name"'],
  ['form#your-form', 'form#contact'],
  ['form#your-filter', 'form#filter'],
  ['/your-list', '/products'],
  ['table#your-table', 'main table'],
  ['ul#your-list', 'main ul.reviews'],
] as const

function changed(fields: object): object {
  return JSON.parse(CHANGES.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(fields)))
}

describe('an agent with the tools of the recipes', () => {
  let demo: Demo

  before(async () => {
    demo = await startDemo()
  })

  after(() => demo?.close())

  test('calls the tool of every recipe, with the right result', async (t) => {
    const site = {_id: 'recipes', _type: 'site', name: 'Recipes', publicId: 'recipes', pollInterval: 300}
    const shared = {site: {_type: 'reference', _ref: 'recipes'}, enabled: true}
    await demo.house.repository.commit([
      site,
      ...TOOL_RECIPES.map(({id, fields}) => ({_id: id, _type: 'tool', ...shared, ...changed(fields)})),
      ...FORM_TOOL_RECIPES.map(({id, fields}) => ({
        _id: id,
        _type: 'formTool',
        ...shared,
        ...changed(fields),
      })),
    ])
    const {log: logger} = listeningLog()
    const serviceOrigin = demo.house.serviceAddress
    const other = await startShop({host: '127.0.0.1', port: 0, serviceOrigin, publicId: 'recipes', logger})
    t.after(() => other.close())
    await eventually(async () => (await demo.house.config('recipes', '/')).status, 200)
    const where = {address: other.address}
    const everywhere = ['addProductToCart', 'searchWebsite', 'getDetails', 'openPage', 'readPage']
    const {page} = await demo.visit('/products', where)
    await seesTools(page, [...everywhere, 'filterList'])
    const call = (name: string, args: Record<string, unknown> = {}) => page.webmcp.callTool(name, args)

    assert.deepEqual(await call('searchWebsite', {query: 'mooring'}), [
      {id: 'mooring-rope', name: 'Mooring Rope', url: '/products/mooring-rope'},
    ])
    assert.match(
      JSON.stringify(await call('getDetails', {id: 'ring-buoy'})),
      /^{"name":"Ring Buoy","description":"[^"]+","url":"\/products\/ring-buoy"}$/,
    )
    assert.match(
      JSON.stringify(await call('getDetails', {id: 'x'})),
      /nothing with the ID “x”\. Search for it first/,
    )
    assert.equal(await call('filterList', {q: 'rope'}), 'One product\nMooring Rope')
    const cart = await call('addProductToCart', {productId: 'ring-buoy', quantity: 2})
    assert.match(JSON.stringify(cart), /"count":2,"total":128/)
    assert.deepEqual(await call('openPage', {id: 'ring-buoy'}), {
      opening: `${other.address}/products/ring-buoy`,
    })
    await page.waitForURL('**/products/ring-buoy')
    assert.equal(await cartCount(page), '2')
    await seesTools(page, everywhere)
    assert.match(JSON.stringify(await call('readPage')), /^{"table":null,"list":\["[^"]+\d{4}-\d\d-\d\d/)

    await page.goto(`${other.address}/cart`)
    await seesTools(page, [...everywhere, 'listOrders'])
    assert.match(JSON.stringify(await call('listOrders')), /^\[{"productId":"ring-buoy"/)

    await page.goto(`${other.address}/contact`)
    await seesTools(page, [...everywhere, 'writeToUs'])
    const message = {name: 'Ada', email: 'ada@example.com', subject: 'A return'}
    const filled = call('writeToUs', {...message, message: 'By the visitor.'})
    await page.locator('form#contact:tool-form-active').waitFor()
    await page.getByRole('button', {name: 'Send'}).click()
    assert.match(String(await filled), /^Thank you! We reply by email/)
    await page.close()
  })
})
