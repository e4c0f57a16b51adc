import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Browser, Page} from 'playwright-core'
import {launchChromium, WEB_MCP} from '../support/browser.ts'
import {formToolDocument, siteDocument, toolDocument} from '../support/shop.ts'
import {PAGES} from './support/pages.ts'
import {assertQuiet, type Stage, startStage} from './support/stage.ts'

describe('a page has its tools, once, and only its own', () => {
  let stage: Stage
  let browser: Browser
  before(async () => {
    // The headless shell has no back/forward cache.
    browser = await launchChromium({args: [WEB_MCP], hasPageCache: true})
    stage = await startStage(
      [
        siteDocument(),
        toolDocument({_id: 'everywhere', name: 'everywhere', pathPattern: '/**'}),
        toolDocument({_id: 'red', name: 'red', pathPattern: '/*/red'}),
        toolDocument({_id: 'other', name: 'other', pathPattern: '/other'}),
        formToolDocument({pagePath: '/7'}),
      ],
      {browser},
    )
    stage.website.pages.set('/worker.js', {
      script: `addEventListener('activate', (event) => event.waitUntil(clients.claim()))
        addEventListener('fetch', (event) => event.respondWith(fetch(event.request)))`,
    })
  })
  after(async () => {
    await stage?.close()
    await browser?.close()
  })

  for (const [index, {name, page: made, act, tools = ['everywhere'], lines = []}] of PAGES.entries()) {
    test(`with ${name}`, async () => {
      stage.website.pages.set(`/${index}`, made(stage.network.address))
      const prepare = async (page: Page) => {
        if (name.includes('hidden and shown')) await page.clock.install()
      }
      await stage.visit(
        `/${index}`,
        async (visit) => {
          await act?.(visit, stage)
          await visit.agent.sees(...tools)
          // A second run of the snippet, or a second site, would show here.
          await visit.page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))')
          assert.deepEqual(await visit.agent.names(), tools)
          assertQuiet(visit.lines, ...lines)
        },
        {isUnready: true, prepare},
      )
    })
  }
})
