import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {type Stage, startStage} from './support/stage.ts'

describe('the tools of a page', {timeout: 120_000}, () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([
      siteDocument(),
      toolDocument(),
      toolDocument({
        _id: 'cart',
        name: 'addToCart',
        pathPattern: '/products/*',
        executeJs: 'return {added: args.id}',
      }),
    ])
  })
  after(() => stage?.close())

  test('are listed and called as an agent does', async () => {
    await stage.visit('/products/7', async ({page, agent}) => {
      await agent.sees('searchProducts', 'addToCart')
      assert.deepEqual(await page.webmcp.callTool('addToCart', {id: 7}), {added: 7})
      assert.deepEqual(await agent.call('searchProducts', {query: 'rope'}), {
        status: 'Completed',
        output: 'rope',
      })
      console.log(await page.webmcp.tools(), agent.events)
    })
    console.log(stage.configRequests(), stage.network.exchanges)
  })
})
