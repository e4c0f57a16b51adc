import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Browser} from 'playwright-core'
import type {Snapshot} from '../../../advice/changes/compare.ts'
import {sharedBrowsers} from '../../support/browser.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {type BrokenSite, startBrokenSite} from './brokenSite.ts'
import {firstLine, runTestsOf} from './runTestsOf.ts'

/** Tools with one test each. */
function documentsOf(tools: readonly {name: string; page: string; executeJs: string}[]): Snapshot {
  const documents = tools.map(({name, page, executeJs}) =>
    toolDocument({
      _id: name,
      name,
      site: {_ref: 'shop', _type: 'reference'},
      pathPattern: '/**',
      inputSchema: '{"type": "object", "properties": {}}',
      executeJs,
      tests: [{_key: 'a', title: 'Works', page, expect: [{_key: 'a', kind: 'equals', value: 'fine'}]}],
    }),
  )
  const all = [siteDocument({_id: 'shop', publicId: 'demo-shop'}), ...documents]
  return new Map(all.map((document) => [document._id, {...document, _rev: '1'}]))
}

describe('scripts of strangers in tests of tools', () => {
  let site: BrokenSite
  let browser: Browser
  before(async () => {
    browser = await sharedBrowsers.withWebMcp()
    site = await startBrokenSite()
  })
  after(() => site.close())

  test('what never ends is given up, in a tool and in a page, and other tests run', async () => {
    site.breakWith((path, {text}) => {
      if (path === '/loop.js')
        return {status: 200, type: 'text/javascript', body: 'setTimeout(() => {for (;;);}, 20)'}
      return path === '/contact'
        ? {body: text.replace('</body>', '<script async src="/loop.js"></script></body>')}
        : undefined
    })
    const documents = documentsOf([
      {name: 'loop', page: '/products', executeJs: 'for (;;);'},
      {name: 'next', page: '/products', executeJs: "return 'fine'"},
      {name: 'loaded', page: '/contact', executeJs: "return 'fine'"},
      {name: 'other', page: '/about', executeJs: "return 'fine'"},
    ])
    const limits = {call: 1_000, wait: 1_000, load: 20_000}
    const results = await runTestsOf(site.url, 'shop', documents, browser, limits)
    assert.match(firstLine(results.get('loop')), /^The page does not respond/)
    assert.match(firstLine(results.get('loaded')), /does not respond|did not load|could not be opened/)
    assert.equal(firstLine(results.get('next')), '')
    assert.equal(firstLine(results.get('other')), '')
  })
})
