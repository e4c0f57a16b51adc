import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {startShop} from '../../../examples/shop/shop.ts'
import {screenshot, sharedBrowsers} from '../../support/browser.ts'
import {eventually} from '../../support/eventually.ts'
import {listeningLog} from '../../support/log.ts'
import {shopDocuments} from '../../support/shop.ts'
import {type Demo, isMarked, listed, mark, seesTools, startDemo, TOOLS} from './support/demo.ts'

describe('the panel of the demo shop', () => {
  let demo: Demo

  before(async () => {
    demo = await startDemo()
  })

  after(() => demo?.close())

  test('the panel calls a tool as an agent does, and shows the result', async () => {
    const {page} = await demo.visit('/products')
    const tool = page.locator('[data-tool=searchProducts]')
    await tool.locator('summary').click()
    await tool.getByLabel('query').fill('waterproof')
    await tool.getByLabel('limit').fill('1')
    await tool.getByRole('button', {name: 'Call it'}).click()
    await tool.locator('pre').filter({hasText: '"id": "oilskin-jacket"'}).waitFor()
    await screenshot(page, 'shop-try.png')

    const product = page.locator('[data-tool=getProduct]')
    await product.locator('summary').click()
    await product.getByLabel('productId').fill('rope')
    await product.getByLabel('productId').press('Enter')
    await product.getByText('There is no product "rope"').waitFor()

    const filter = page.locator('[data-tool=filterProducts]')
    await filter.locator('summary').click()
    await filter.getByLabel('category').selectOption('cabin')
    await filter.getByRole('button', {name: 'Call it'}).click()
    await filter.locator('pre').filter({hasText: 'Enamel Mug'}).waitFor()
    assert.equal(await tool.locator('pre').count(), 1, 'the fields of other tools stay unchanged')
    await page.close()
  })

  test('the panel lets a person submit the form that it filled in, or cancel the call', async () => {
    const {page} = await demo.visit('/')
    const tool = page.locator('[data-tool=subscribeToNewsletter]')
    await tool.locator('summary').click()
    await tool.getByLabel('email').fill('ada@example.com')
    await tool.getByRole('button', {name: 'Call it'}).click()
    await tool.getByText('The form is filled in').waitFor()
    await page.locator('form[name=newsletter]:tool-form-active').waitFor()
    await tool.getByRole('button', {name: 'Stop'}).click()
    await tool.getByText('Stopped.').waitFor()
    await tool.getByRole('button', {name: 'Call it'}).click()
    await page.locator('form[name=newsletter]:tool-form-active').waitFor()
    await page.getByRole('button', {name: 'Subscribe'}).click()
    await tool.locator('pre').filter({hasText: 'We sent you an email'}).waitFor()
    await page.close()
  })

  test('a tool published while the page is open appears, also in the panel, without a reload', async () => {
    const {page} = await demo.visit('/about')
    await seesTools(page, TOOLS['/about'])
    await mark(page)
    const known = shopDocuments().find(({name}) => name === 'viewCart')
    assert.ok(known)
    await demo.house.repository.commit([
      {...known, _id: 'tool-hours', name: 'getOpeningHours', pathPattern: '/about'},
    ])
    await eventually(
      async () => {
        await page.getByRole('button', {name: 'Refresh'}).click()
        return listed(page)
      },
      (names) => names.includes('getOpeningHours'),
    )
    assert.equal(await isMarked(page), true)
    await page.close()
  })

  test('on a phone, the panel is a button that shows the number of tools', async () => {
    const {page} = await demo.visit('/products', {viewport: {width: 390, height: 844}})
    const button = page.getByRole('button', {name: 'Handrail: 6 tools'})
    await button.waitFor()
    assert.equal(await page.getByText('Narrows down').isVisible(), false)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    await screenshot(page, 'shop-phone.png')
    await button.click()
    await page.getByText('Narrows down').waitFor()
    await page.keyboard.press('Escape')
    await button.waitFor()
    await page.close()
  })

  test('if the content has no such site, the shop works and the panel explains why', async (t) => {
    const serviceOrigin = demo.house.serviceAddress
    const options = {
      host: '127.0.0.1',
      port: 0,
      serviceOrigin,
      publicId: 'no-such-site',
      logger: listeningLog().log,
    }
    const other = await startShop(options)
    t.after(() => other.close())
    const {page} = await demo.visit('/', {address: other.address})
    await page.getByText('no site with the public ID no-such-site').waitFor()
    await page.close()
  })

  test('if a page has no tools, or the service is unavailable, the panel says which', async (t) => {
    const [file] = shopDocuments().filter(({_type}) => _type === 'site')
    assert.ok(file)
    const bare = {...file, _id: 'bare', publicId: 'bare-site'}
    await demo.house.repository.commit([bare])
    const logger = listeningLog().log
    const options = {
      host: '127.0.0.1',
      port: 0,
      serviceOrigin: demo.house.serviceAddress,
      publicId: 'bare-site',
      logger,
    }
    const empty = await startShop(options)
    t.after(() => empty.close())
    const alone = await startShop({...options, serviceOrigin: 'http://127.0.0.1:1'})
    t.after(() => alone.close())
    await eventually(async () => (await demo.house.config('bare-site', '/')).status, 200)
    const {page} = await demo.visit('/', {address: empty.address})
    await page.getByRole('tabpanel', {name: 'Tools'}).getByText('This page has no tools.').waitFor()
    await page.goto(alone.address)
    await page.getByText('did not load. Is the service running?').waitFor()
    await page.close()
  })

  test('in a browser without WebMCP, the panel has a registry of its own, and says how to enable WebMCP', async () => {
    const browser = await sharedBrowsers.withoutWebMcp()
    const {page, trouble} = await demo.visit('/contact', {browser})
    await page.getByText('This browser has no WebMCP').waitFor()
    await page.getByText('chrome://flags/#enable-webmcp-testing').waitFor()
    await eventually(
      () => listed(page),
      (names) => names.join() === [...TOOLS['/contact']].sort().join(),
    )
    assert.equal(await page.evaluate('typeof document.modelContext'), 'undefined')
    assert.deepEqual(trouble, [])
    const contact = page.locator('[data-tool=contactShop]')
    await contact.locator('summary').click()
    await contact.getByLabel('name').fill('Ada')
    await contact.getByLabel('email').fill('ada@example.com')
    await contact.getByLabel('subject').selectOption('A return')
    await contact.getByLabel('message').fill('From the panel.')
    await contact.getByRole('button', {name: 'Call it'}).click()
    await contact.getByText('The form is filled in').waitFor()
    await page.getByRole('button', {name: 'Send'}).click()
    await contact.locator('pre').filter({hasText: 'Thank you! We reply by email'}).waitFor()

    await page.goto(`${demo.address}/products`)
    const filter = page.locator('[data-tool=filterProducts]')
    await filter.locator('summary').click()
    await filter.getByLabel('category').selectOption('cabin')
    await filter.getByRole('button', {name: 'Call it'}).click()
    await filter.locator('pre').filter({hasText: 'Enamel Mug'}).waitFor()
    await page.getByRole('link', {name: 'Storm Lantern'}).click()
    await page.getByRole('button', {name: 'Add to cart'}).click()
    await page.getByText('In the cart: 1, for €42.00.').waitFor()
    await page.getByText('on /products/storm-lantern').waitFor()
    await page.close()
  })
})
