import assert from 'node:assert/strict'
import {test} from 'node:test'
import {serveOffline} from '../../service/offline.ts'
import {formToolDocument, siteDocument, toolDocument} from '../support/shop.ts'

test('tests of tools ask no visitor, send the forms that are sent without asking, and count no calls', async () => {
  const documents = [
    siteDocument({askBefore: 'changes', reportCalls: true}),
    toolDocument({name: 'placeOrder', pathPattern: '/**'}),
    formToolDocument({name: 'writeNote', pagePath: '/**', autosubmit: true}),
  ]
  const offline = await serveOffline(
    'shop-public',
    documents.map((document) => ({...document, _rev: '1'})),
  )
  const {tools, formTools} = JSON.parse(offline?.configOn('/') ?? '{}')
  assert.deepEqual([tools.length, tools[0].askBefore, tools[0].reportCalls], [1, undefined, undefined])
  assert.deepEqual([formTools[0].autosubmit, formTools[0].reportCalls], [true, undefined])
})
