import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {sharedBrowsers} from '../support/browser.ts'
import {formToolDocument, siteDocument, toolDocument} from '../support/shop.ts'
import {PAGES} from './support/pages.ts'
import {assertQuiet, type Stage, startStage} from './support/stage.ts'

describe('a page has its tools, once, and only its own', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([
      siteDocument(),
      toolDocument({_id: 'everywhere', name: 'everywhere', pathPattern: '/**'}),
      toolDocument({_id: 'red', name: 'red', pathPattern: '/*/red'}),
      toolDocument({_id: 'other', name: 'other', pathPattern: '/other'}),
      formToolDocument({pagePath: '/7'}),
    ])
    stage.website.pages.set('/worker.js', {
      script: `addEventListener('activate', (event) => event.waitUntil(clients.claim()))
        addEventListener('fetch', (event) => event.respondWith(fetch(event.request)))`,
    })
  })
  after(() => stage?.close())

  for (const [index, made] of PAGES.entries()) {
    const {name, page: pageOf, act, tools = ['everywhere'], lines = [], isCached = false} = made
    test(`with ${name}`, async () => {
      const browser = await (isCached ? sharedBrowsers.withPageCache() : sharedBrowsers.withWebMcp())
      stage.website.pages.set(`/${index}`, pageOf(stage.network.address))
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
        {isUnready: true, prepare, browser},
      )
    })
  }
})
