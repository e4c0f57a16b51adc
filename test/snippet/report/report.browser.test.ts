import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {after, before, beforeEach, describe, test} from 'node:test'
import {MAX_CALLS} from '../../../snippet/report/limits.ts'
import {listOf} from '../../deploy/support/files.ts'
import {recordOf} from '../../support/answers.ts'
import {openUnattended, sharedBrowsers} from '../../support/browser.ts'
import {eventually} from '../../support/eventually.ts'
import type {Visit} from '../support/stage.ts'
import {type CountedPages, heard, leave, startCountedPages} from './countedPages.ts'

/** Headers of every request of a browser. They are not made by the snippet. */
const OF_BROWSERS =
  /^(host|connection|content-length|user-agent|accept|accept-encoding|accept-language|origin|sec-.*)$/

const [, EXAMPLE = ''] =
  /```js\n([^`]*reportCalls\(true\)[^`]*)```/.exec(
    await readFile(new URL('../../../docs/privacy.md', import.meta.url), 'utf8'),
  ) ?? []

describe('a page of a site that counts calls', () => {
  let stage: CountedPages['stage']
  let recorder: CountedPages['recorder']
  let head: CountedPages['head']
  let visit: CountedPages['visit']
  let reported: CountedPages['reported']
  let reset: CountedPages['reset']
  let close: CountedPages['close']
  before(async () => {
    ;({stage, recorder, head, visit, reported, reset, close} = await startCountedPages())
  })
  after(() => close?.())
  beforeEach(() => reset())

  test('sends its calls in one request when it is left, and these bytes only', async () => {
    await visit('/', async ({page, agent}) => {
      await agent.sees('fail', 'find', 'placeOrder', 'tell', 'wait')
      await leave(page)
    })
    await visit('/', async ({page, agent}) => {
      for (const query of ['rope', 'ann@example.com', 'none']) await agent.call('find', {query})
      for (const query of ['red rope', 'blue rope']) await agent.call('fail', {query})
      await agent.call('tell')
      await page.webmcp.callTool('find', {query: 7})
      const cancelled = page.evaluate(`(async () => {
          const calling = new AbortController()
          const tool = (await document.modelContext.getTools()).find(({name}) => name === 'wait')
          const call = document.modelContext.executeTool(tool, {}, {signal: calling.signal})
          while (!globalThis.resolve) await new Promise((resolve) => setTimeout(resolve)) // until the script runs
          calling.abort()
          return call
        })()`)
      await assert.rejects(cancelled, /AbortError/)
      const declined = page.webmcp.callTool('placeOrder', {})
      await page.getByRole('alertdialog').getByRole('button', {name: 'Don’t allow'}).click()
      await declined
      await page.evaluate('globalThis.resolve = undefined')
      await agent.begin('wait')
      await eventually(() => page.evaluate('typeof resolve'), 'function')
      await heard(page, 9)
      const outcomes = [await page.evaluate('heard')].flat().map((detail) => recordOf(detail).outcome)
      assert.equal(outcomes.join(), 'ok,ok,none,error,error,error,refused,cancelled,declined')
      await leave(page)
      await eventually(
        async () => recorder.reports,
        ({length}) => length > 0,
      )
    })
    const left = recorder.reports.map(({headers, ...report}) => ({
      ...report,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_BROWSERS.test(name))),
    }))
    const golden = new URL('golden.json', import.meta.url)
    assert.equal(`${JSON.stringify(left, null, 2)}\n`, await readFile(golden, 'utf8'))
  })

  test('sends nothing twice when it returns from the back/forward cache, and when it is closed', async () => {
    const returns = async ({page, agent}: Visit) => {
      await agent.call('find')
      await heard(page, 1)
      await agent.begin('wait')
      await eventually(() => page.evaluate('typeof resolve'), 'function')
      await page.goto(`${stage.website.address}/other`)
      const first = [
        ['find', 'ok', 0, 1],
        ['wait', 'cancelled', 0, 1],
      ]
      await reported(first)
      await page.goBack({waitUntil: 'commit'})
      await page.evaluate('resolve(1)')
      await agent.call('find')
      await heard(page, 3)
      await page.close()
      await reported(first, [['find', 'ok', 0, 1]])
    }
    await visit('/', returns, {browser: await sharedBrowsers.withPageCache()})
  })

  test('sends a full report at once, and counts on', async () => {
    await visit('/', async ({page, agent}) => {
      await agent.sees('fail', 'find', 'placeOrder', 'tell', 'wait')
      await page.evaluate(`(async () => {
          const tool = (await document.modelContext.getTools()).find(({name}) => name === 'find')
          for (let count = 0; count <= ${MAX_CALLS}; count++) await document.modelContext.executeTool(tool, {})
        })()`)
      await reported([['find', 'ok', 0, MAX_CALLS]])
      await leave(page)
      await reported([['find', 'ok', 0, MAX_CALLS]], [['find', 'ok', 0, 1]])
    })
  })

  test('sends its calls although its process is killed', async () => {
    await visit('/', async ({page, agent}) => {
      await agent.call('find')
      await heard(page, 1)
      const session = await page.context().newCDPSession(page)
      session.send('Page.crash').catch(() => {})
      await reported([['find', 'ok', 0, 1]])
    })
  })

  test('counts nothing before consent, if the site wants that, and nothing after it is withdrawn', async () => {
    const example = `${head('', 'consent-public')}<script>globalThis.agree = () => { ${EXAMPLE} }</script>`
    assert.match(EXAMPLE, /reportCalls\(true\)/)
    stage.website.pages.set('/consent', {head: example})
    stage.website.pages.set('/agreed', {head: `<script>${EXAMPLE}</script>${example}`})
    const use = async ({page, agent}: Visit) => {
      await agent.sees('look')
      await agent.call('look')
      await heard(page, 1)
      await page.evaluate('agree()')
      await agent.call('look')
      await agent.call('look')
      await page.evaluate('handrail.reportCalls(false)')
      await agent.call('look')
      await page.evaluate('handrail.reportCalls(true)')
      await agent.call('look')
      await heard(page, 5)
      // For the modules of other services on the page.
      assert.deepEqual(await page.evaluate('[handrail.mayReport, "mayReport" in window]'), [true, false])
      await leave(page)
      await reported([['look', 'ok', 0, 1]])
    }
    const options = {isUnready: true}
    await visit('/consent', use, options)
    recorder.reports.length = 0
    await visit(
      '/agreed',
      async ({page, agent}) => {
        await agent.sees('look')
        await agent.call('look')
        await heard(page, 1)
        await leave(page)
        await reported([['look', 'ok', 0, 1]])
      },
      options,
    )
  })

  test('without fetchLater, a page sends when it is hidden, and a prepared or offline page waits', async () => {
    stage.website.pages.set('/', {
      head: `<script>delete window.fetchLater
        const own = Object.getOwnPropertyDescriptor(Document.prototype, 'hidden')
        Object.defineProperty(Document.prototype, 'prerendering', {get: () => globalThis.isPrepared === true})
        globalThis.hide = () => {
          Object.defineProperty(Document.prototype, 'hidden', {get: () => true, configurable: true})
          document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))
          Object.defineProperty(Document.prototype, 'hidden', own)
        }</script>${head()}`,
    })
    await visit('/', async ({page, agent}) => {
      await agent.sees('fail', 'find', 'placeOrder', 'tell', 'wait')
      const call = () => agent.call('find')
      await call()
      await heard(page, 1)
      await page.evaluate('hide()')
      const first = [['find', 'ok', 0, 1]]
      await reported(first)

      await page.evaluate('hide()')
      await call()
      await heard(page, 2)
      await page.context().setOffline(true)
      await eventually(() => page.evaluate('navigator.onLine'), false)
      await page.evaluate('hide()')
      await page.context().setOffline(false)
      await eventually(() => page.evaluate('navigator.onLine'), Boolean)
      await page.evaluate('globalThis.isPrepared = true')
      await page.evaluate('hide()')
      await call()
      await heard(page, 3)
      await page.evaluate(
        'globalThis.isPrepared = false; document.dispatchEvent(new Event("prerenderingchange"))',
      )
      await leave(page)
      await reported(first, [['find', 'ok', 0, 2]])
      const [{headers} = {headers: undefined}] = recorder.reports
      assert.deepEqual([headers?.referer, headers?.['content-type']], [undefined, 'text/plain;charset=UTF-8'])
    })
  })

  test('a page that is prerendered sends its calls after it is shown, and nothing if it never is', async () => {
    /** Calls a tool at once, which Chromium does when the page is shown, and then. */
    const page = (name: string) => ({
      head: `<script>
        performance.now = () => 1_000 // All calls take no time.
        const call = async () => {
          const tool = (await document.modelContext.getTools()).find(({name}) => name === '${name}')
          if (tool) await document.modelContext.executeTool(tool, {})
          else setTimeout(call, 20) // until the snippet has registered it
        }
        let count = 0
        document.addEventListener('handrail:call', () => {
          if (++count === 2) location.assign('/left')
        })
        document.addEventListener('prerenderingchange', call)
        call()
        if (document.prerendering) fetch('/prerendering/${name}')
      </script>${head()}`,
    })
    stage.website.pages.set('/prepared', page('find'))
    stage.website.pages.set('/unseen', page('tell'))
    stage.website.pages.set('/', {
      head: `<script type="speculationrules">
          {"prerender": [{"urls": ["/prepared", "/unseen"], "eagerness": "immediate"}]}
        </script>
        <script>
          const follow = async () => {
            const next = await (await fetch('/next')).text()
            if (next === '/prepared') location.assign(next)
            else setTimeout(follow, 50) // until the test says so
          }
          follow()
        </script>`,
    })
    const close = await openUnattended(`${stage.website.address}/`)
    try {
      await eventually(
        async () => [...stage.website.requests, ...recorder.others],
        (requests) =>
          [
            '/prerendering/find',
            '/prerendering/tell',
            'GET /api/sites/shop-public/config?path=%2Fprepared',
            'GET /api/sites/shop-public/config?path=%2Funseen',
          ].every((request) => requests.includes(request)),
      )
      stage.website.pages.set('/next', {script: '/prepared'})
      await reported([['find', 'ok', 0, 2]])
    } finally {
      await close()
    }
  })

  test('sends after a minute what was counted, if it stays open', async () => {
    stage.website.pages.set('/', {head: `<script>delete window.fetchLater</script>${head()}`})
    await visit(
      '/',
      async ({page, agent}) => {
        await agent.sees('fail', 'find', 'placeOrder', 'tell', 'wait')
        await agent.call('find')
        await heard(page, 1)
        await page.clock.runFor(50_000)
        await agent.call('find')
        await heard(page, 2)
        await page.clock.runFor(11_000)
        await eventually(() => recorder.reports.length, 1)
        // Time goes by in this visit, so that the two calls may differ in how long they took.
        const counts = listOf(JSON.parse(recorder.reports[0]?.body ?? '').calls).map(
          (call) => listOf(call)[3],
        )
        assert.equal(
          counts.reduce((sum: number, count) => sum + Number(count), 0),
          2,
        )
      },
      {prepare: (page) => page.clock.install()},
    )
  })

  test('reports under a strict policy, and not from a page with the panel', async () => {
    const policy = `default-src 'none'; script-src ${recorder.address}; connect-src ${recorder.address}; require-trusted-types-for 'script'; trusted-types 'none'`
    stage.website.pages.set('/strict', {head: head(), headers: {'content-security-policy': policy}})
    stage.website.pages.set('/panel', {head: head('data-panel')})
    await visit('/panel', async ({page, agent}) => {
      await agent.sees('fail', 'find', 'placeOrder', 'tell', 'wait')
      await agent.call('find')
      assert.equal(
        recorder.others.some((url) => url.includes('report')),
        false,
      )
      await leave(page)
    })
    await visit('/strict', async ({page, agent, lines}) => {
      await agent.call('find')
      await heard(page, 1)
      await leave(page)
      await reported([['find', 'ok', 0, 1]])
      assert.deepEqual(
        lines.filter((line) => line.includes(`${recorder.address}/api/sites/shop-public/calls`)),
        [],
      )
    })
  })
})
