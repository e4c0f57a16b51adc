import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {type House, startHouse} from '../../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'

/**
 * Bytes and tags as version 0.1 served them: its pages hold these tags. Documents without newer fields must
 * never be served differently.
 */
const RECORDED = [
  {
    publicId: 'shop-public',
    entityTag: '"wDw7ldeB_vX7bSRmmvPPdHJBg-Y"',
    body: '{"siteId":"765769e2-6f74-5513-b14e-3e32f18fe19f","tools":[{"id":"16a05178-6c59-5bb4-aa11-cc242292e9c0","name":"listReviews","description":"Searches the shop.","inputSchema":{"type":"object","properties":{"query":{"type":"string"}}},"executeJs":"return args.query","exposedTo":[],"title":"List Reviews","annotations":{"readOnlyHint":true,"untrustedContentHint":true}},{"id":"3ae206e4-d2a1-50ae-beae-cc1b57813ed3","name":"searchProducts","description":"Searches the shop.","inputSchema":{"type":"object","properties":{"query":{"type":"string"}}},"executeJs":"return args.query","exposedTo":["https://partner.example"],"title":"Search Products","annotations":{"readOnlyHint":true}}],"formTools":[{"id":"ea511829-f541-5dfe-9c55-ce6b70db79df","name":"contactUs","description":"Sends a message to the shop.","selector":"form#contact","autosubmit":false}],"pollInterval":300}',
  },
  {
    publicId: 'empty-site',
    entityTag: '"BfNEkzWjKGxGITw97rZhYnIEfFs"',
    body: '{"siteId":"f069abc5-4ad4-51d3-80a7-bae4a05ee8e2","tools":[],"formTools":[],"pollInterval":300}',
  },
]

describe('documents without fields that were added since version 0.1', () => {
  let house: House
  before(async () => {
    house = await startHouse([
      siteDocument(),
      toolDocument({exposedTo: ['https://partner.example']}),
      toolDocument({_id: 'reviews', name: 'listReviews', annotations: undefined}),
      formToolDocument({pagePath: '/**'}),
      siteDocument({_id: 'empty', publicId: 'empty-site', pollInterval: undefined}),
    ])
  })
  after(() => house.close())

  for (const {publicId, entityTag, body} of RECORDED) {
    test(`${publicId} is served with the bytes and the tag of version 0.1`, async () => {
      const response = await house.config(publicId, '/')
      assert.equal(await response.text(), body)
      assert.equal(response.headers.get('etag'), entityTag)
    })
  }
})
