import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {previewLink} from '../../snippet/previewLink.ts'
import {codeFor, startPreviewHouse} from '../service/preview/support.ts'
import {agentOf} from '../snippet/support/agent.ts'
import {type Stage, stageOver} from '../snippet/support/stage.ts'
import {sharedBrowsers} from '../support/browser.ts'
import {eventually} from '../support/eventually.ts'
import type {House} from '../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../support/shop.ts'

/** Everything that docs/browsers.md says a page may forbid. */
const STRICT = {
  'content-security-policy':
    "default-src 'none'; img-src data:; script-src 'nonce-bm9uY2U' 'strict-dynamic'; connect-src HOST; " +
    "frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
}

const FORM = `<h1>Contact</h1><form id="contact" action="/sent">
  <label>Message <input name="message" required></label>
  <label>News <input type="checkbox" name="news"></label>
  <label>Topic <select name="topic"><option>Order<option>Return</select></label>
  <button>Send</button></form>`

const search = toolDocument({executeJs: 'return "published"'})

describe('drafts of the service on a page with a strict policy', () => {
  let stage: Stage<House>
  before(async () => {
    await sharedBrowsers.withoutWebMcp()
    stage = await stageOver(() =>
      startPreviewHouse([siteDocument(), search, formToolDocument({enabled: false})]),
    )
    const policy = STRICT['content-security-policy'].replace('HOST', stage.network.address)
    const headers = {...STRICT, 'content-security-policy': policy}
    stage.website.pages.set('/contact', {head: stage.tag('nonce="bm9uY2U"'), headers, body: FORM})
  })
  after(() => stage?.close())

  const newLink = async () =>
    previewLink(`${stage.website.address}/contact`, 'shop-public', await codeFor(stage.house))
  const draft = (executeJs: string) =>
    stage.house.client.createOrReplace({...search, _id: `drafts.${search._id}`, executeJs})
  const tool = (page: Page, name = 'searchProducts') => page.locator(`[data-tool=${name}]`)

  /** Opens the link in a tab of its own, and fails if the page's policy forbade anything but one `eval`. */
  async function preview(
    browser: Stage['browser'],
    use: (page: Page) => Promise<void>,
    link?: string,
  ): Promise<void> {
    const context = await browser.newContext()
    try {
      const page = await context.newPage()
      await page.addInitScript(`globalThis.violations = []
        addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))`)
      await page.goto(link ?? (await newLink()))
      await use(page)
      const violations = await page.evaluate('violations')
      assert.ok(Array.isArray(violations) && violations.length <= 1, String(violations))
    } finally {
      await context.close()
    }
  }

  async function corrects(page: Page): Promise<void> {
    const item = tool(page)
    await item.getByText('Changed draft').waitFor()
    await item.locator('summary').click()
    const call = item.getByRole('button', {name: 'Call it'})
    await item.getByLabel('query').fill('rope')
    await draft('return "corrected " + args.query')
    const corrected = async () => {
      await call.click()
      // The script of a draft that was just replaced cannot be loaded any more, which is an error.
      return String(await item.getByRole('status').textContent())
    }
    await eventually(corrected, /^corrected rope/)
  }

  test('an editor corrects a script without a reload, and ending the preview leaves what is published', async () => {
    await draft('return "draft"')
    await preview(stage.browser, async (page) => {
      const agent = await agentOf(page)
      await agent.sees('searchProducts')
      await corrects(page)
      const host = 'document.querySelector("handrail-panel")'
      const style = `getComputedStyle(${host}.shadowRoot.querySelector("details")).borderTopLeftRadius`
      assert.equal(await page.evaluate(style), '8px', 'the style sheet applies')
      await page.getByRole('tab', {name: 'Not here'}).click()
      await page.locator('[data-missing=contactUs]').getByText('It is switched off.').waitFor()
      await page.getByRole('button', {name: 'End preview'}).click()
      const published = async () => (await agent.call('searchProducts', {query: 'rope'})).output
      await eventually(published, 'published')
    })
  })

  test('in a browser without WebMCP too, with form tools that a person submits', async () => {
    const enabled = formToolDocument({
      _id: 'drafts.contact',
      fields: [{_key: 'm', name: 'message', description: 'What to say.'}],
    })
    await stage.house.client.createOrReplace(enabled)
    await draft('return "draft"')
    await preview(await sharedBrowsers.withoutWebMcp(), async (page) => {
      await page.getByText('This browser has no WebMCP').waitFor()
      await corrects(page)
      assert.equal(await page.evaluate('typeof document.modelContext'), 'undefined')

      const form = tool(page, 'contactUs')
      await form.getByText('Form, you submit').waitFor()
      await form.locator('summary').click()
      await form.getByText('What to say.').waitFor()
      await form.getByLabel('message').fill('Hello')
      await form.getByLabel('news').selectOption('yes')
      await form.getByLabel('topic').selectOption('Return')
      await form.getByRole('button', {name: 'Call it'}).click()
      await form.getByText('The form is filled in.').waitFor()
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Send')
      await page.getByRole('button', {name: 'Send'}).click()
      await page.waitForURL('**/sent?message=Hello&news=on&topic=Return')
    })
  })

  test('a link works in the tab that was first, also after a lost response and a reload, and in no other browser', async () => {
    await draft('return "draft"')
    const link = await newLink()
    const code = link.split('.').at(-1) ?? ''
    const context = await stage.browser.newContext()
    const page = await context.newPage()
    const exchanges: string[] = []
    await page.route('**/preview', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      exchanges.push(route.request().postData() ?? '')
      if (exchanges.length > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.goto(link)
    await tool(page).getByText('Changed draft').waitFor()
    assert.deepEqual(exchanges, [exchanges[0], exchanges[0]])
    await page.reload()
    await tool(page).getByText('Changed draft').waitFor()
    assert.equal(exchanges.length, 2)
    assert.ok(!String(await page.evaluate('JSON.stringify(sessionStorage)')).includes(code))
    await preview(
      stage.browser,
      async (other) => {
        await other.getByText('This preview link was already used.').waitFor()
        await tool(other).getByText('Published').waitFor()
      },
      link,
    )
    await context.close()
  })
})
