import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {LOAD_CALLS_AFTER} from '../../snippet/limits.ts'
import {sharedBrowsers} from '../support/browser.ts'
import {eventually} from '../support/eventually.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {assertQuiet, type Stage, startStage, type Visit} from './support/stage.ts'

const INTERVAL = 300_000

/** A tool of every page below a path, named after it. */
function toolBelow(page: string, fields: object = {}) {
  return toolDocument({_id: page.slice(1), name: page.slice(1), pathPattern: `${page}/**`, ...fields})
}

/**
 * Time jumps when the test says so, random numbers are constant, and the page counts the responses it has
 * read.
 */
function controlled(chance = 0.5) {
  return {
    async prepare(page: Page): Promise<void> {
      await page.clock.install()
      await page.addInitScript(`
        Math.random = () => ${chance}
        globalThis.reads = 0
        const {text} = Response.prototype
        Response.prototype.text = function () { return text.call(this).finally(() => globalThis.reads++) }
      `)
    },
  }
}

/** Waits until a page has read this many responses: those already sent may be in transit when time jumps. */
function hasRead(page: Page, answers: number): Promise<unknown> {
  const reads = () => page.evaluate('globalThis.reads')
  return eventually(reads, answers)
}

/** Lets the page load what calls its tools, so that no later request is for that. */
async function loadsCalls(page: Page): Promise<void> {
  const loaded = page.waitForResponse(/snippet\.calls\.js/)
  await page.clock.fastForward(LOAD_CALLS_AFTER)
  await loaded
}

/** Navigates to a path within the same document, as single-page applications do. */
function push(page: Page, path: string): Promise<void> {
  return page.evaluate(`history.pushState(null, '', '${path}')`)
}

describe('a page’s requests', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([
      siteDocument(),
      toolBelow('/red'),
      toolBelow('/blue'),
      toolDocument({name: 'everywhere'}),
    ])
  })
  after(() => stage?.close())
  beforeEach(() => {
    stage.network.fault = {kind: 'none'}
    stage.forgetRequests()
  })

  test('are the snippet and one config per visit, without a preflight, then what calls the tools', async () => {
    const first = stage.network.exchanges.length
    const expected = [
      {method: 'GET', url: '/snippet.js', status: 200},
      {method: 'GET', url: '/api/sites/shop-public/config?path=%2Fred%2F1', status: 200},
    ]
    const exchanges = () => stage.network.exchanges.slice(first)
    const visited = async ({page}: Visit) => {
      assert.deepEqual(exchanges(), expected)
      await page.clock.fastForward(LOAD_CALLS_AFTER)
      await eventually(
        async () => exchanges()[2]?.status,
        (status) => status !== undefined,
      )
      assert.deepEqual(exchanges()[2], {method: 'GET', url: '/snippet.calls.js', status: 200})
      await page.clock.fastForward(INTERVAL)
      await stage.requested('GET /red/1 200', 'GET /red/1 304')
      assert.equal(exchanges().length, 4)
    }
    await stage.visit('/red/1', visited, controlled())
  })

  test('use a config that the page preloads: one request, which does not wait for the snippet', async () => {
    const href = `${stage.network.address}/api/sites/shop-public/config?path=${encodeURIComponent('/red/early')}`
    stage.website.pages.set('/red/early', {
      head: `<link rel="preload" as="fetch" crossorigin href="${href}">${stage.tag('crossorigin')}`,
    })
    await stage.visit('/red/early', async ({page, agent, lines}) => {
      await agent.sees('red', 'everywhere')
      assert.deepEqual(stage.configRequests(), ['GET /red/early 200'])
      const entries = `performance.getEntriesByType('resource').filter(({name}) => name.includes('/config')).map(({initiatorType}) => initiatorType)`
      assert.deepEqual(await page.evaluate(entries), ['link'])
      await page.waitForLoadState()
      // Chromium warns of a preload that it could not use.
      assertQuiet(lines)
    })
  })

  test('are one 304 per poll if nothing changed, and nothing is registered', async () => {
    const visited = async ({page, agent, lines}: Visit) => {
      await loadsCalls(page)
      const {length} = stage.network.exchanges
      agent.events.length = 0
      await page.clock.fastForward(INTERVAL)
      await stage.requested('GET /red 200', 'GET /red 304')
      await hasRead(page, 2)
      await page.clock.fastForward(INTERVAL)
      await stage.requested('GET /red 304')
      await hasRead(page, 3)
      await page.evaluate('handrail.refresh()')
      await stage.requested('GET /red 304')
      assert.equal(stage.network.exchanges.length, length + 3)
      assert.deepEqual(agent.events, [])
      assertQuiet(lines)
    }
    await stage.visit('/red', visited, controlled())
  })

  for (const [chance, seconds] of [
    [0, 270],
    [0.999_999, 330],
  ] as const) {
    test(`come ${seconds} s after the last if the random number is ${chance}, for an interval of 300 s`, async () => {
      const visited = async ({page}: Visit) => {
        stage.forgetRequests()
        await loadsCalls(page)
        const asked: string[] = []
        page.on('request', (request) => asked.push(request.url()))
        await page.clock.fastForward((seconds - 5) * 1_000 - LOAD_CALLS_AFTER)
        await page.evaluate('1')
        assert.deepEqual(asked, [])
        await page.clock.fastForward(5_000)
        await stage.requested('GET /red 304')
      }
      await stage.visit('/red', visited, controlled(chance))
    })
  }

  test('stop while the page is hidden, and overdue ones are sent once it is visible', async () => {
    const visited = async ({page}: Visit) => {
      const show = (isShown: boolean) =>
        page.evaluate(`
          Object.defineProperty(Document.prototype, 'hidden', {configurable: true, value: ${!isShown}})
          document.dispatchEvent(new Event('visibilitychange'))
        `)
      stage.forgetRequests()
      await show(false)
      await page.clock.fastForward(10 * INTERVAL)
      await page.evaluate('1')
      assert.deepEqual(stage.configRequests(), [])
      await show(true)
      await page.clock.fastForward(1)
      await stage.requested('GET /red 304')
      await hasRead(page, 2)
      await show(false)
      await show(true)
      await page.clock.fastForward(INTERVAL / 2)
      await page.evaluate('1')
      assert.deepEqual(stage.configRequests(), [])
      await page.clock.fastForward(INTERVAL / 2)
      await stage.requested('GET /red 304')
      await hasRead(page, 3)
      stage.forgetRequests()
      await page.clock.setSystemTime(Date.now() - 6 * 3_600_000)
      await show(false)
      await show(true)
      await page.clock.fastForward(INTERVAL * 1.25)
      await stage.requested('GET /red 304')
    }
    await stage.visit('/red', visited, controlled())
  })

  test('continue when a page returns from the back/forward cache', async () => {
    const browser = await sharedBrowsers.withPageCache()
    const visited = async ({page, agent}: Visit) => {
      await page.evaluate('globalThis.isSame = true')
      await page.goto(`${stage.website.address}/blue`)
      await agent.sees('blue', 'everywhere')
      stage.forgetRequests()
      await page.goBack({waitUntil: 'commit'})
      await agent.sees('red', 'everywhere')
      assert.equal(await page.evaluate('globalThis.isSame'), true)
      assert.deepEqual(stage.configRequests(), [], 'no poll was due')

      await page.evaluate(`{ const {now} = Date; Date.now = () => now() + 2 * ${INTERVAL} }`)
      await page.goForward({waitUntil: 'commit'})
      await agent.sees('blue', 'everywhere')
      await page.goBack({waitUntil: 'commit'})
      assert.equal(await page.evaluate('globalThis.isSame'), true)
      await stage.requested('GET /red 304')
    }
    await stage.visit('/red', visited, {browser})
  })

  for (const api of ['the Navigation API', 'history']) {
    test(`follow navigation within the document by ${api}, if the path changes`, async () => {
      const visited = async ({page, agent, site}: Visit) => {
        await agent.sees('red', 'everywhere')
        stage.forgetRequests()
        await push(page, '/blue/1')
        await agent.sees('blue', 'everywhere')
        await stage.requested('GET /blue/1 200')
        assert.deepEqual(agent.events.slice(2), ['-red', '+blue'])

        await page.evaluate('history.replaceState(null, "", "/red/2")')
        await agent.sees('red', 'everywhere')
        await stage.requested('GET /red/2 200')
        await push(page, '/red/2?page=2#end')
        await page.evaluate('location.hash = "start"')
        await push(page, '/red/2')
        assert.equal((await site()).path, '/red/2')
        await page.evaluate('1')
        assert.deepEqual(stage.configRequests(), [])

        await page.evaluate('history.go(-3)')
        await page.evaluate('history.back()')
        await agent.sees('red', 'everywhere')
        await eventually(site, ({path}) => path === '/red')
      }
      const prepare = async (page: Page) => {
        if (api === 'history')
          await page.addInitScript('Object.defineProperty(window, "navigation", {value: undefined})')
      }
      await stage.visit('/red', visited, {prepare})
    })
  }

  test('are one for many changes of the path, and none for each', async () => {
    await stage.visit('/red', async ({page, agent}) => {
      await agent.sees('red', 'everywhere')
      stage.forgetRequests()
      await page.evaluate(`for (let at = 0; at < 100; at += 1) history.replaceState(null, '', '/blue/' + at)`)
      await stage.requested('GET /blue/0 200', 'GET /blue/99 200')
      await agent.sees('blue', 'everywhere')
    })
  })

  test('are waited for by a call after a navigation, which runs only if the page has the tool', async () => {
    const visited = async ({page, agent}: Visit) => {
      await agent.sees('red', 'everywhere')
      let release = () => {}
      const until = new Promise<void>((resolve) => {
        release = resolve
      })
      stage.network.fault = (url) =>
        url.includes(encodeURIComponent('/blue')) ? {kind: 'hold', until} : {kind: 'none'}
      const before = stage.network.exchanges.filter(({url}) => url.includes('%2Fblue%2F1')).length
      await page.evaluate(`
        history.pushState(null, '', '/blue/1')
        globalThis.calls = document.modelContext.getTools().then((tools) => Promise.all(
          ['red', 'everywhere'].map((name) =>
            document.modelContext.executeTool(tools.find((tool) => tool.name === name), {})),
        ))
        void 0 // the calls wait
      `)
      await eventually(
        async () => stage.network.exchanges.filter(({url}) => url.includes('%2Fblue%2F1')).length,
        (count) => count > before,
      )
      release()
      await agent.sees('blue', 'everywhere')
      await page.clock.runFor(6_000)
      const [left, stayed] = String(await page.evaluate('calls.then(JSON.stringify)')).split('","')
      assert.match(left ?? '', /The page changed\. List the tools again\./)
      assert.doesNotMatch(stayed ?? '', /The page changed/)
    }
    await stage.visit('/red', visited, {prepare: (page) => page.clock.install()})
  })

  test('are discarded if the page has navigated in the meantime', async () => {
    await stage.visit('/red', async ({page, agent, site, lines}) => {
      let release = () => {}
      const until = new Promise<void>((resolve) => {
        release = resolve
      })
      stage.network.fault = (url) =>
        url.includes(encodeURIComponent('/blue')) ? {kind: 'hold', until} : {kind: 'none'}
      await push(page, '/blue')
      await eventually(() => stage.network.exchanges.at(-1)?.url ?? '', /blue/)
      assert.deepEqual(await agent.names(), ['everywhere', 'red'])
      assert.equal((await site()).state, 'loading')
      await push(page, '/elsewhere')
      await agent.sees('everywhere')
      release()
      await page.evaluate('handrail.refresh()')
      assert.deepEqual(agent.events.slice(2), ['-red'])
      assertQuiet(lines)
    })
  })

  test('never make it "ready" for a path whose tools are not registered yet, however slow the browser registers', async () => {
    const visited = async ({page, agent, site}: Visit) => {
      await page.evaluate(`
        globalThis.states = []
        addEventListener('handrail', ({detail}) => states.push(detail))
      `)
      await push(page, '/blue/1')
      await eventually(() => page.evaluate('typeof globalThis.registerBlue'), 'function')
      await push(page, '/red/2')
      await eventually(site, ({state, path}) => state === 'loading' && path === '/red/2')
      await page.evaluate('registerBlue()')
      await agent.sees('red', 'everywhere')
      await eventually(site, ({state}) => state === 'ready')
      const ready = await page.evaluate(`
        states.filter(({state}) => state === 'ready').map(({path, tools}) => path + ' ' + tools.sort())
      `)
      assert.deepEqual(ready, ['/red/2 everywhere,red'])
    }
    const prepare = (page: Page) =>
      page.addInitScript(`
        const {modelContext} = document
        const registerTool = modelContext.registerTool.bind(modelContext)
        modelContext.registerTool = async (tool, options) => {
          if (tool.name === 'blue') await new Promise((resolve) => (globalThis.registerBlue = resolve))
          return registerTool(tool, options)
        }
      `)
    await stage.visit('/red', visited, {prepare})
  })
})
