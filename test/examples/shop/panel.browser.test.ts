import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {startShop} from '../../../examples/shop/shop.ts'
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

  test('if there is no such site, no tool on a page, or no service, the shop works and the panel says which', async (t) => {
    const [file] = shopDocuments().filter(({_type}) => _type === 'site')
    assert.ok(file)
    await demo.house.repository.commit([{...file, _id: 'bare', publicId: 'bare-site'}])
    await eventually(async () => (await demo.house.config('bare-site', '/')).status, 200)
    for (const [publicId, serviceOrigin, said] of [
      ['no-such-site', demo.house.serviceAddress, 'no site with the public ID no-such-site'],
      ['bare-site', demo.house.serviceAddress, 'This page has no tools.'],
      ['bare-site', 'http://127.0.0.1:1', 'did not load. Is the service running?'],
    ] as const) {
      const {log: logger} = listeningLog()
      const shop = await startShop({host: '127.0.0.1', port: 0, serviceOrigin, publicId, logger})
      t.after(() => shop.close())
      const {page} = await demo.visit('/', {address: shop.address})
      await page.getByText(said).filter({visible: true}).waitFor()
      await page.close()
    }
  })
})
