import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Browser, Page} from 'playwright-core'
import {handedIn} from '../../making/studioLink.ts'
import {axeMistakes} from '../support/axe.ts'
import {screenshot} from '../support/browser.ts'
import {siteDocument} from '../support/shop.ts'
import {aboutTool, configTool, offer} from './support/drafts.ts'
import {LINK, type PreviewStage, startPreviewStage} from './support/previewStage.ts'

/** A page whose rules would break a panel that they apply to, and whose forms are hard to select. */
const BODY = `<style>* { font-size: 9px; color: lime; display: block !important }</style>
<main><h1>Harbour Supply</h1>
<section><h2>Write to us</h2>
  <form id="contact"><label>Name <input name="name"></label><button>Send</button></form></section>
<form class="css-1q2w3e newsletter"><input type="email" name="email" aria-label="Email"><button>Subscribe</button></form>
<div id="r:1:"><form action="/search"><input name="q" placeholder="Search"></form></div>
<form><input name="a"></form><form><input name="b"></form><form><input name="b"><input name="c"></form>
<form><button>Without a field</button></form></main>
<script>addEventListener('keydown', ({key}) => (globalThis.keys ??= []).push(key))</script>`

const MEDIA = [
  {colorScheme: 'light', forcedColors: 'none'},
  {colorScheme: 'dark', forcedColors: 'none'},
  {colorScheme: 'light', forcedColors: 'active'},
] as const

describe('the panel for everybody', () => {
  let stage: PreviewStage
  before(async () => {
    stage = await startPreviewStage([siteDocument()])
    stage.website.pages.set('/', {body: BODY})
    const properties = {
      query: {type: 'string', description: 'Words to search for'},
      isOpen: {type: 'boolean'},
      tags: {type: 'array', items: {type: 'string'}},
      address: {type: 'object', properties: {city: {type: 'string'}}},
    }
    offer(stage, configTool({inputSchema: {type: 'object', properties, required: ['query']}}))
    stage.drafts.about = [
      aboutTool({
        advice: [{severity: 'warning', message: 'The script never reads args.isOpen.', line: 1}],
        tests: [{title: 'Finds ropes', page: '/', arguments: [{name: 'query', value: 'rope'}], expect: []}],
      }),
      aboutTool({
        name: 'viewCart',
        isOffered: false,
        title: 'Other pages',
        reasons: ['Its pattern is /cart.'],
      }),
    ]
  })
  after(() => stage?.close())

  async function preview(
    options: Parameters<Browser['newContext']>[0],
    use: (page: Page) => Promise<void>,
  ): Promise<void> {
    const context = await stage.browser.newContext(options)
    try {
      const page = await context.newPage()
      await page.goto(`${stage.website.address}/${LINK}`)
      await page.locator('[data-tool=findBargains]').waitFor({state: 'attached'})
      await use(page)
    } finally {
      await context.close()
    }
  }

  const wide = {viewport: {width: 1360, height: 850}}
  const toggle = (page: Page) => page.locator('.toggle')
  const focused = (page: Page) =>
    page.evaluate(
      'document.activeElement.shadowRoot?.activeElement.textContent ?? document.activeElement.localName',
    )

  for (const [name, options] of Object.entries({wide, narrow: {viewport: {width: 360, height: 740}}})) {
    test(`axe finds no mistake in it: ${name}`, async () => {
      await preview(options, async (page) => {
        if (name === 'narrow') await toggle(page).click()
        const item = page.locator('[data-tool=findBargains]')
        await item.locator('summary').click()
        await item.getByLabel('query').fill('rope')
        await item.getByRole('button', {name: 'Call it'}).click()
        await item.locator('pre').waitFor()
        await screenshot(page, `panel-${name}.png`)
        await page.getByRole('tab', {name: 'Tests'}).click()
        page.once('dialog', (dialog) => dialog.accept())
        await page.getByRole('button', {name: 'Run tests'}).click()
        await page.getByText('1 passed, 0 failed').waitFor()
        await screenshot(page, `panel-tests-${name}.png`)
        for (const tab of ['Not here', 'Calls', 'Tests', 'Make a tool', 'Tools']) {
          await page.getByRole('tab', {name: tab}).click()
          await page.locator('[role=tabpanel]:not([hidden])').waitFor()
          if (tab === 'Make a tool') {
            const form = page.locator('[data-form="#contact"]')
            await form.getByRole('checkbox').check()
            await form.getByRole('button', {name: 'Details'}).click()
            await page.getByRole('link', {name: 'Make 1 draft'}).waitFor()
          }
          for (const media of name === 'wide' ? MEDIA : MEDIA.slice(0, 1)) {
            await page.emulateMedia(media)
            await screenshot(page, `panel-${tab}-${Object.values(media).join('-')}-${name}.png`)
            assert.deepEqual(await axeMistakes(page, 'handrail-panel'), [])
          }
        }
        assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
      })
    })
  }

  test('is used by keyboard alone, keeps its keys from the page, and gives the focus back', async () => {
    await preview(wide, async (page) => {
      await page.keyboard.press('Alt+Shift+KeyH')
      assert.match(String(await focused(page)), /^Preview: 1 tool$/)
      assert.equal(await page.locator('.body').isVisible(), false)
      await page.reload()
      await page.locator('.toggle', {hasText: '1 tool'}).waitFor()
      assert.equal(await page.locator('.body').isVisible(), false, 'it stays collapsed in this tab')
      await page.keyboard.press('Alt+Shift+KeyH')
      assert.equal(await focused(page), 'Hide')
      await page.keyboard.press('Tab')
      assert.match(String(await focused(page)), /^Tools/)
      await page.keyboard.press('ArrowRight')
      assert.match(String(await focused(page)), /^Not here/)
      await page.getByText('Its pattern is /cart.').waitFor()
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      const query = page.locator('[data-tool=findBargains]').getByLabel('query')
      while (!(await query.evaluate('document.activeElement.shadowRoot.activeElement.localName === "input"')))
        await page.keyboard.press('Tab')
      await page.keyboard.type('rope')
      await page.keyboard.press('Enter')
      await page.locator('[data-tool] pre', {hasText: '"found": "rope"'}).waitFor()
      await page.keyboard.press('Alt+Shift+KeyH')
      await page.keyboard.press('Alt+Shift+KeyH')
      for (const key of ['Tab', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
      await page.getByRole('button', {name: 'Run tests'}).waitFor()
      await page.keyboard.press('Tab')
      page.once('dialog', (dialog) => dialog.accept())
      await page.keyboard.press('Enter')
      await page.getByText('1 passed, 0 failed').waitFor()
      assert.deepEqual(await page.evaluate('keys.filter((key) => "rope".includes(key))'), [])
      await page.keyboard.press('Escape')
      assert.match(String(await focused(page)), /^Preview: 1 tool$/)
    })
  })

  test('covers a page without moving it, one of 1,440 px makes room, and its rules do not apply to the panel', async () => {
    await preview(wide, async (page) => {
      await page.locator('[data-tool=findBargains]').waitFor()
      const style =
        'getComputedStyle(document.querySelector("handrail-panel").shadowRoot.querySelector("h2"))'
      assert.equal(await page.evaluate(`${style}.fontSize`), '16.1px')
      const right = 'document.documentElement.clientWidth - document.body.getBoundingClientRect().right'
      assert.equal(await page.evaluate(right), 8, 'the margin of every page')
      await page.setViewportSize({width: 1440, height: 850})
      assert.equal(await page.evaluate(right), 442, 'and the width of the panel')
      await page.getByRole('button', {name: 'Move left'}).click()
      assert.equal(await page.evaluate(right), 8)
      assert.equal(await page.evaluate('document.forms.length'), 7)
    })
  })

  test('moves to the other side and below, and stays there in this tab', async () => {
    await preview(wide, async (page) => {
      const box = async () => {
        const {x = -1, y = -1, width = 0} = (await page.locator('.panel').boundingBox()) ?? {}
        return [x, y > 0, width]
      }
      const [right = -1, isBelow, width] = await box()
      assert.deepEqual([Number(right) > 800, isBelow], [true, false])
      await page.getByRole('button', {name: 'Move left'}).click()
      assert.deepEqual(await box(), [0, false, width])
      await page.getByRole('button', {name: 'Move below'}).click()
      await page.reload()
      await page.getByRole('button', {name: 'Move right'}).waitFor()
      assert.deepEqual(await box(), [0, true, 1360])
      assert.deepEqual(await axeMistakes(page, 'handrail-panel'), [])
      await page.getByRole('tab', {name: 'Make a tool'}).click()
      await page.locator('[data-form]').first().waitFor()
      await screenshot(page, 'panel-below.png')
      await page.getByRole('button', {name: 'Move right'}).click()
      assert.deepEqual(await box(), [right, false, width])
      assert.equal(await page.evaluate('sessionStorage["handrail-panel-place"]'), undefined)
    })
  })

  test('lists the forms of the page, each with a selector of its own', async () => {
    await preview(wide, async (page) => {
      await page.getByRole('tab', {name: 'Make a tool'}).click()
      const listed = page.locator('[data-form]')
      await listed.first().waitFor()
      const selectors = await listed.evaluateAll((items) =>
        items.map((item) => Reflect.get(item, 'dataset').form),
      )
      assert.deepEqual(selectors, [
        '#contact',
        'form.newsletter',
        'form[action="/search"]',
        'form:has([name=a])',
        'form:nth-of-type(3)',
        'form:has([name=c])',
      ])
      for (const [index, selector] of selectors.entries()) {
        const found = `Array.from(document.forms).indexOf(document.querySelector(${JSON.stringify(selector)}))`
        assert.equal(await page.evaluate(found), index, selector)
      }
      await page.evaluate('document.querySelector("main").append(document.forms[1].cloneNode(true))')
      await listed.nth(6).waitFor()
      const contact = listed.first()
      await contact.getByText('Fills in the form “Write to us”: Name. The visitor presses “Send”.').waitFor()
      await contact.getByRole('button', {name: 'Details'}).click()
      await contact.getByRole('button', {name: 'Look at writeToUs'}).click()
      assert.equal(await page.evaluate('document.getAnimations().length'), 1)

      await contact.getByLabel('Name', {exact: true}).first().fill('Your own name')
      const make = contact.getByRole('link', {name: 'Make this tool'})
      const link = new URL((await make.getAttribute('href')) ?? '')
      assert.equal(link.href.split('#')[0], 'https://studio.example/base/')
      assert.deepEqual(Object(handedIn(link.hash)?.value).fields, {
        name: 'writeToUs',
        description: 'Fills in the form “Write to us”: Name. The visitor presses “Send”.',
        pagePath: '/',
        selector: '#contact',
        fields: [{name: 'name', description: 'Your own name'}],
      })
    })
  })
})
