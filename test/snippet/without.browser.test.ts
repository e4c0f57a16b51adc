import assert from 'node:assert/strict'
import {generateKeyPairSync} from 'node:crypto'
import {readFile} from 'node:fs/promises'
import {after, before, beforeEach, describe, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import type {Browser, Page} from 'playwright-core'
import {launchChromium, sharedBrowsers} from '../support/browser.ts'
import {eventually} from '../support/eventually.ts'
import {freePort} from '../support/network/ports.ts'
import {formToolDocument, siteDocument, toolDocument} from '../support/shop.ts'
import {trialToken} from '../support/trialToken.ts'
import {assertQuiet, type Stage, startStage} from './support/stage.ts'

/** What a page's own agent can query if the browser has none. */
const names = (page: Page): Promise<unknown> =>
  page.evaluate('document.modelContext.getTools().then((tools) => tools.map(({name}) => name).sort())')

/** @param input as JSON: Chromium takes an object, the polyfill a string. */
const call = (page: Page, name: string, input: string): Promise<unknown> =>
  page.evaluate(`document.modelContext.getTools()
    .then((tools) => document.modelContext.executeTool(tools.find((tool) => tool.name === '${name}'), ${input}))
    .catch((error) => error.message)`)

const documents = [
  siteDocument(),
  toolDocument({pathPattern: '/**', executeJs: 'return {args, signal: signal.aborted}'}),
  toolDocument({_id: 'failing', name: 'failing', executeJs: 'throw "plain words"'}),
  formToolDocument(),
]

describe('in a browser without WebMCP', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage(documents, {browser: await sharedBrowsers.withoutWebMcp()})
  })
  after(() => stage?.close())

  test('the snippet does nothing at all: no request, no listener, no message', async () => {
    const traces: unknown[] = []
    for (const head of ['', stage.tag('data-debug')]) {
      stage.website.pages.set('/', {
        head: `<script>globalThis.known = Object.keys(globalThis)</script>${head}`,
      })
      stage.network.exchanges.length = 0
      const visited = async ({page, lines}: {page: Page; lines: string[]}) => {
        await page.clock.fastForward(600_000)
        assertQuiet(lines)
        const added = 'Object.keys(globalThis).filter((key) => !known.includes(key))'
        traces.push({
          listeners: await listenersOf(page),
          globals: await page.evaluate(added),
          isPatched: await page.evaluate('/native code/.test(history.pushState)'),
        })
      }
      await stage.visit('/', visited, {isUnready: true, prepare: (page) => page.clock.install()})
    }
    assert.deepEqual(
      stage.network.exchanges.map(({url}) => url),
      ['/snippet.js'],
    )
    assert.deepEqual(traces[1], traces[0])
  })

  /** Types of the listeners on the window, the document, and the objects that report navigation. */
  async function listenersOf(page: Page): Promise<string[]> {
    const session = await page.context().newCDPSession(page)
    const types: string[] = []
    for (const expression of ['window', 'document', 'navigation']) {
      const {result} = await session.send('Runtime.evaluate', {expression})
      assert.ok(result.objectId)
      const {listeners} = await session.send('DOMDebugger.getEventListeners', {objectId: result.objectId})
      types.push(...listeners.map(({type}) => `${expression} ${type}`))
    }
    return types
  }

  describe('but with @mcp-b/webmcp-polyfill', () => {
    const form = '<form id="contact" action="/sent"><input name="message"><button>Send</button></form>'

    before(async () => {
      const polyfill = fileURLToPath(import.meta.resolve('@mcp-b/webmcp-polyfill/iife'))
      stage.website.pages.set('/polyfill.js', {script: await readFile(polyfill, 'utf8')})
    })
    beforeEach(() => {
      const head = `<script src="/polyfill.js"></script>${stage.tag()}`
      for (const path of ['/', '/contact']) stage.website.pages.set(path, {head, body: form})
    })

    test('tools are registered, called, changed and removed', async () => {
      await stage.visit('/', async ({page, lines, refresh}) => {
        assert.deepEqual(await names(page), ['failing', 'searchProducts'])
        const result = await call(page, 'searchProducts', `'{"query": "rope"}'`)
        assert.deepEqual(JSON.parse(String(result)), {args: {query: 'rope'}, signal: false})
        assert.match(String(await call(page, 'failing', `'{}'`)), /"isError":true.*"plain words"/)
        await stage.publish([
          toolDocument({_id: 'failing', name: 'failing', enabled: false}),
          toolDocument({_id: 'fresh', name: 'fresh'}),
        ])
        await refresh()
        assert.deepEqual(await names(page), ['fresh', 'searchProducts'])
        assertQuiet(lines, /^info: failing plain words$/)
      })
    })

    test('forms are tools, also after they are re-created', async () => {
      await stage.visit('/contact', async ({page, lines}) => {
        const hasForm = (found: unknown) => Array.isArray(found) && found.includes('contactUs')
        await eventually(() => names(page), hasForm)
        await page.evaluate('globalThis.old = document.querySelector("form")')
        await page.evaluate(`old.outerHTML = \`${form}\``)
        await page.waitForSelector('form[toolname]', {state: 'attached'})
        await eventually(() => names(page), hasForm)
        const pending = call(page, 'contactUs', `'{"message": "Hello"}'`)
        await page.waitForFunction('document.querySelector("input").value === "Hello"')
        await page.click('button')
        await page.waitForURL('**/sent?message=Hello')
        await pending.catch(() => {})
        assertQuiet(lines)
      })
    })

    test('the polyfill refuses a tool that is exposed to other origins, and the others are registered', async () => {
      const exposed = toolDocument({_id: 'exposed', name: 'exposed', exposedTo: ['https://partner.example']})
      await stage.publish([exposed])
      await stage.visit('/', async ({page, site}) => {
        assert.deepEqual(await names(page), ['fresh', 'searchProducts'])
        assert.deepEqual((await site()).problems, {
          exposed: 'Cross-document tool exposure requires native WebMCP',
        })
      })
    })
  })
})

describe("with a third-party token of WebMCP's origin trial", () => {
  /** The only key that Chromium trusts in this test. */
  const {publicKey, privateKey} = generateKeyPairSync('ed25519')
  let stage: Stage
  let browser: Browser
  let service: string

  before(async () => {
    const port = await freePort()
    service = `http://127.0.0.1:${port}`
    // Chromium parses an expiry of 31 bits.
    const expiry = Math.floor(Date.now() / 1_000) + 3_600
    const key = publicKey.export({format: 'jwk'}).x ?? ''
    browser = await launchChromium({
      args: [`--origin-trial-public-key=${Buffer.from(key, 'base64url').toString('base64')}`],
    })
    stage = await startStage(documents, {
      browser,
      environment: {
        PORT: `${port}`,
        WEBMCP_ORIGIN_TRIAL_TOKEN: trialToken({origin: service, expiry}, 3, privateKey),
      },
    })
  })
  after(async () => {
    await stage?.close()
    await browser?.close()
  })

  test('a visitor has WebMCP on every page that embeds the snippet, and on no other', async () => {
    stage.website.pages.set('/', {
      head: `<script async crossorigin src="${service}/snippet.js" data-site="shop-public"></script>`,
    })
    await stage.visit('/', async ({page, lines}) => {
      assert.deepEqual(await names(page), ['failing', 'searchProducts'])
      const result = await call(page, 'searchProducts', '{query: "rope"}')
      assert.deepEqual(JSON.parse(String(result)), {args: {query: 'rope'}, signal: false})
      assertQuiet(lines)
    })
    stage.website.pages.set('/without', {head: ''})
    const visited = async ({page}: {page: Page}) =>
      assert.equal(await page.evaluate('typeof document.modelContext'), 'undefined')
    await stage.visit('/without', visited, {isUnready: true})
  })

  test('it is valid only for the origin that it names, and otherwise the snippet does nothing', async () => {
    // The same bytes from another origin, like a copy of the snippet on the website.
    const copy = await fetch(`${service}/snippet.js`).then((answer) => answer.text())
    stage.website.pages.set('/copy.js', {script: copy})
    stage.website.pages.set('/', {head: '<script async src="/copy.js" data-site="shop-public"></script>'})
    const visited = async ({page, lines}: {page: Page; lines: string[]}) => {
      assert.equal(
        await page.evaluate('typeof document.modelContext + typeof handrail'),
        'undefinedundefined',
      )
      assertQuiet(lines)
    }
    await stage.visit('/', visited, {isUnready: true})
  })
})
