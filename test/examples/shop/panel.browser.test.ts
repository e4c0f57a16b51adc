import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {startShop} from '../../../examples/shop/shop.ts'
import {screenshot} from '../../support/browser.ts'
import {eventually} from '../../support/eventually.ts'
import {listeningLog} from '../../support/log.ts'
import {shopDocuments} from '../../support/shop.ts'
import {type Demo, startDemo} from './support/demo.ts'

describe('the panel of the demo shop', () => {
  let demo: Demo

  before(async () => {
    demo = await startDemo()
  })

  after(() => demo?.close())

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
})
