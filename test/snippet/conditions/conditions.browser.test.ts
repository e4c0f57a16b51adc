import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {after, before, describe, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import type {Page} from 'playwright-core'
import {recordOf} from '../../support/answers.ts'
import {sharedBrowsers} from '../../support/browser.ts'
import {eventually} from '../../support/eventually.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {type Stage, startStage, type Visit} from '../support/stage.ts'
import type {WebPage} from '../support/website.ts'

const ACCOUNT = {offeredWhile: {has: ['.account']}}
const tool = (name: string, fields: object = {}) =>
  toolDocument({_id: name, name, pathPattern: '/**', ...fields})

const shows = (className: string) =>
  `document.querySelector('#app').replaceChildren(Object.assign(document.createElement('p'), {className: '${className}'}))`
const SIGN_IN = shows('account')
const SIGN_OUT = shows('visitor')

/** Keeps each list of tools. */
const OBSERVE = `
  globalThis.seen = []
  document.modelContext.addEventListener('toolchange', async () => {
    const list = (await document.modelContext.getTools()).map(({name}) => name).sort().join()
    if (seen.at(-1) !== list) seen.push(list)
  })`

async function prepare(page: Page): Promise<void> {
  await page.addInitScript(OBSERVE)
  await page.clock.install()
}

/** Runs a script in the page, which lists these tools at once in the 300 ms afterwards, by a clock that stands between. */
async function change(page: Page, script: string, expected: string): Promise<void> {
  await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 60_000)
  await page.evaluate(`seen.length = 0; ${script}`)
  await page.clock.runFor(300)
  await eventually(() => page.evaluate('seen.at(-1)'), expected)
  await page.clock.runFor(200)
  await page.evaluate('document.modelContext.getTools()')
  assert.deepEqual(await page.evaluate('seen'), [expected])
  await page.clock.resume()
}

const ALWAYS = 'searchProducts'
const SIGNED_IN = 'editAddress,listMyOrders,searchProducts'
const SIGNED_OUT = `${ALWAYS},signIn`

const APP = '<div id="app"><p>Sign in</p></div>'

/** Pages on which the same must hold. */
const KINDS: Record<string, (stage: Stage) => WebPage & {polyfill?: string}> = {
  'with strict policies': ({tag, network}) => ({
    head: tag('nonce="abc" crossorigin'),
    headers: {
      'content-security-policy': `default-src 'none'; img-src data:; script-src 'nonce-abc' 'strict-dynamic'; connect-src ${network.address}; require-trusted-types-for 'script'; trusted-types 'none'`,
    },
    body: APP,
  }),
  'with a polyfill': ({tag}) => ({
    head: `<script src="/polyfill.js"></script>${tag()}`,
    body: APP,
    polyfill: fileURLToPath(import.meta.resolve('@mcp-b/webmcp-polyfill/iife')),
  }),
  'with 50,000 elements': () => ({body: `${'<p><b>x</b></p>'.repeat(25_000)}${APP}`}),
  'in each of three frames': () => ({head: '', body: '<iframe src="/"></iframe>'.repeat(3)}),
  'on a page that is prerendered first': ({tag}) => ({
    head: `<script>for (const member of ['hidden', 'prerendering'])
      Object.defineProperty(Document.prototype, member, {configurable: true, get: () => !globalThis.isOpen})
      setTimeout(() => {
        isOpen = true
        for (const type of ['prerenderingchange', 'visibilitychange']) document.dispatchEvent(new Event(type))
      }, 200)</script>${tag()}`,
    body: APP,
  }),
}

describe('tools that the page decides about', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([
      siteDocument({reportCalls: true}),
      tool(ALWAYS, {
        texts: [
          {language: 'de', title: 'Suche', parameters: [{name: 'query', description: 'Die Wörter.'}]},
          {language: 'pt-BR', description: 'Procura.'},
        ],
      }),
      tool('listMyOrders', ACCOUNT),
      tool('editAddress', ACCOUNT),
      tool('signIn', {offeredWhile: {hasNot: ['.account']}}),
      tool('German', {offeredWhile: {has: ['html[lang|="de"]']}}),
      formToolDocument({pagePath: '/form', ...ACCOUNT}),
    ])
    for (const path of ['/', '/other']) stage.website.pages.set(path, {body: APP})
    stage.website.pages.set('/form', {body: `${APP}<form id="contact"><input name="email"></form>`})
  })
  after(() => stage?.close())

  const visit = (use: (visit: Visit) => Promise<void>, path = '/') => stage.visit(path, use, {prepare})

  test('come and go with what the page has, in one turn and within 300 ms', async () => {
    await visit(async ({page, agent, site, lines}) => {
      await agent.sees(ALWAYS, 'signIn')
      for (let round = 0; round < 3; round++) {
        for (const [script, expected] of [
          [SIGN_IN, SIGNED_IN],
          [SIGN_OUT, SIGNED_OUT],
        ] as const)
          await change(page, script, expected)
      }
      const {problems} = await site()
      assert.equal(problems.listMyOrders, 'the page has no “.account”')
      assert.deepEqual(lines, [])
      await page.evaluate('document.documentElement.lang = "de-AT"')
      await agent.sees('German', ALWAYS, 'signIn')
    })
  })

  test('have the texts of the language of the page, and those of the tool for what these lack', async () => {
    await visit(async ({page, agent}) => {
      await agent.sees(ALWAYS, 'signIn')
      const shown = () =>
        page.evaluate<(string | undefined)[]>(`document.modelContext.getTools().then((tools) => {
          const {title, description, inputSchema} = tools.find(({name}) => name === '${ALWAYS}')
          return [title, description, [inputSchema].map((one) => (typeof one === 'string' ? JSON.parse(one) : one))[0].properties.query.description]
        })`)
      const own = await shown()
      const german = ['Suche', own[1], 'Die Wörter.']
      for (const [language, expected] of [
        ['de-CH-1996', german],
        ['de-x-private', german],
        ['fr', own],
        ['PT-br', [own[0], 'Procura.', own[2]]],
        ['pt', own],
        ['DE', german],
        ['', own],
      ] as const) {
        await page.evaluate(`document.documentElement.lang = '${language}'`)
        await eventually(shown, [...expected])
      }
    })
  })

  for (const [hours, status, isTold = true] of [
    [0, 304],
    [3, 304],
    [3, 503, false],
    [-3, 503],
  ] as const)
    test(`come and go at their times on open pages, by a clock that is ${hours} hours ahead, if the service returns ${status} and says its time: ${isTold}`, async () => {
      stage.website.pages.set('/sale', {body: APP})
      const ends = ['buySale', 'buyLater'].map((name, at) => {
        const until = new Date(Date.now() + 100_000 + at * 30_000).toISOString()
        return tool(name, {pathPattern: '/sale', offeredWhile: {until}})
      })
      await stage.publish(ends, '/sale')
      const kept = recordOf(await (await stage.house.config('shop-public', '/sale')).json())
      const prepare = async (page: Page) => {
        await page.addInitScript(`const {fetch: own} = window
          window.fetch = (url, options) => own(url, options).finally(() => { globalThis.isTold ||= options.method === 'HEAD' })`)
        await page.clock.install({time: Date.now() + hours * 3_600_000})
        // Routes turn the cache off.
        if (isTold) return
        await page.route('**/snippet.conditions.*', (route) =>
          route.request().method() === 'HEAD' ? route.fulfill({status: 503}) : route.continue(),
        )
      }
      const use = async ({page, agent, site}: Visit) => {
        // Until what follows the time knows the clock of the service.
        await eventually(() => page.evaluate('isTold'), true)
        await agent.sees('buyLater', 'buySale', ALWAYS, 'signIn')
        if (status === 503) stage.answerConfigs({}, {status})
        stage.forgetRequests()
        await page.clock.runFor(110_000)
        if (!isTold) return agent.sees('buyLater', 'buySale', ALWAYS, 'signIn')
        await agent.sees('buyLater', ALWAYS, 'signIn')
        assert.equal((await site()).problems.buySale, 'its time is over')
        await eventually(() => stage.configRequests()[0], `GET /sale ${status}`)
        await page.clock.runFor(30_000)
        await agent.sees(ALWAYS, 'signIn')
        // Of a cache that kept it until all is over.
        const ends = Object.entries({buySale: 1, buyLater: 2})
        stage.answerConfigs({...kept, changesAt: new Date(0), ends}, {headers: {etag: '"kept"'}})
        await page.reload()
        await eventually(() => page.evaluate('isTold'), true)
        await page.clock.runFor(500)
        await agent.sees(ALWAYS, 'signIn')
      }
      await stage.visit('/sale', use, {prepare}).finally(() => stage.answerConfigs(undefined))
    })

  test('do not flicker on a page that renders again 20 times a second', async () => {
    await visit(async ({page, agent}) => {
      await agent.sees(ALWAYS, 'signIn')
      const render = `globalThis.draw = () => { ${SIGN_IN} }; setInterval(() => draw(), 50)`
      await change(page, render, SIGNED_IN)
      await change(page, `draw = () => { ${SIGN_OUT} }`, SIGNED_OUT)
    })
  })

  test('stay as they are on a page where conditions begin and end without end, and the page says why', async () => {
    await visit(async ({page, agent, site}) => {
      await page.evaluate(SIGN_IN)
      await agent.sees(...SIGNED_IN.split(','))
      const blink = `let is = true; setInterval(() => { is = !is; if (is) { ${SIGN_IN} } else { ${SIGN_OUT} } }, 45)`
      await page.evaluate(blink)
      await eventually(
        async () => (await site()).problems.signIn,
        (problem) => problem === 'the page changes without end',
      )
      await agent.sees(...SIGNED_IN.split(','))
    })
  })

  test('are right on the next path, and after the page returns from the back/forward cache', async () => {
    const visited = async ({page, agent}: Visit) => {
      await page.evaluate(`globalThis.isSame = true; ${SIGN_IN}`)
      await agent.sees(...SIGNED_IN.split(','))
      await page.evaluate(`history.pushState(null, '', '/elsewhere')`)
      await page.waitForTimeout(300)
      await agent.sees(...SIGNED_IN.split(','))
      await page.goto(`${stage.website.address}/other`)
      await agent.sees(ALWAYS, 'signIn')
      await page.goBack({waitUntil: 'commit'})
      assert.equal(await page.evaluate('globalThis.isSame'), true)
      await agent.sees(...SIGNED_IN.split(','))
      await page.evaluate(SIGN_OUT)
      await agent.sees(ALWAYS, 'signIn')
    }
    await stage.visit('/', visited, {browser: await sharedBrowsers.withPageCache()})
  })

  test('say to an agent that calls one too late why it is not offered', async () => {
    await visit(async ({page, agent}) => {
      await page.evaluate(SIGN_IN)
      await agent.sees(...SIGNED_IN.split(','))
      const late = `(async () => {
        const [tool] = (await document.modelContext.getTools()).filter(({name}) => name === 'listMyOrders')
        document.addEventListener('handrail:call', ({detail}) => { globalThis.outcome = detail.outcome })
        ${SIGN_OUT}
        return document.modelContext.executeTool(tool, {})
      })()`
      const text = 'This tool is not offered any more: the page has no “.account”.'
      assert.ok(String(await page.evaluate(late)).includes(text))
      await eventually(() => page.evaluate('outcome'), 'declined')
    })
  })

  test('are forms, too', async () => {
    await visit(async ({page, agent, site}) => {
      await agent.sees(ALWAYS, 'signIn')
      await page.evaluate(SIGN_IN)
      await eventually(async () => (await site()).forms, ['contactUs'])
      await page.evaluate(SIGN_OUT)
      await eventually(async () => (await site()).forms, [])
      assert.equal(await page.locator('form').getAttribute('toolname'), null)
    }, '/form')
  })

  test('are not there, and all others are, while the module for them does not load', async () => {
    stage.network.fault = (url) => (url.includes('conditions') ? {kind: 'refuse'} : {kind: 'none'})
    await visit(async ({page, agent}) => {
      await page.evaluate(SIGN_IN)
      await page.waitForTimeout(500)
      await agent.sees(ALWAYS)
    })
    stage.network.fault = () => ({kind: 'none'})
  })

  for (const [what, pageOf] of Object.entries(KINDS)) {
    test(`are right ${what}`, async () => {
      const {polyfill = '', ...page} = pageOf(stage)
      stage.website.pages.set('/kind', page)
      if (polyfill) stage.website.pages.set('/polyfill.js', {script: await readFile(polyfill, 'utf8')})
      const browser = polyfill ? await sharedBrowsers.withoutWebMcp() : stage.browser
      const use = async ({page, lines}: Visit) => {
        const [frame = page.mainFrame(), ...others] = page.frames().slice(-3)
        const tools = (where = frame) =>
          where.evaluate('handrail.sites["shop-public"].tools.sort().join()').catch(() => '')
        await eventually(tools, SIGNED_OUT)
        for (const [script, expected] of [
          [SIGN_IN, SIGNED_IN],
          [SIGN_OUT, SIGNED_OUT],
        ] as const) {
          await frame.evaluate(script)
          await eventually(tools, expected)
          for (const other of others) assert.equal(await tools(other), SIGNED_OUT)
        }
        assert.deepEqual(lines, [])
      }
      await stage.visit('/kind', use, {browser, isUnready: true})
    })
  }

  test('are unknown to an earlier snippet, which ignores the member', async () => {
    // It read these members only.
    const old = `const answer = JSON.parse; JSON.parse = (text) => {
      const {conditional, ...known} = answer(text) ?? {}
      return conditional ? known : answer(text)
    }`
    await stage.visit('/', ({page, agent}) => page.evaluate(SIGN_IN).then(() => agent.sees(ALWAYS)), {
      prepare: (page) => page.addInitScript(old),
    })
  })

  test('are not watched for on a site without any', async () => {
    stage.answerConfigs({siteId: 'shop', tools: [], formTools: [], pollInterval: 300})
    stage.network.exchanges.length = 0
    await stage.visit('/', ({page}) => page.waitForTimeout(200))
    assert.ok(!stage.network.exchanges.some(({url}) => url.includes('conditions')))
    stage.answerConfigs(undefined)
  })
})
