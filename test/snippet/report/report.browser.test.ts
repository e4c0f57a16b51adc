import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {after, before, beforeEach, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {MAX_CALLS} from '../../../snippet/report/limits.ts'
import {listOf} from '../../deploy/support/files.ts'
import {recordOf} from '../../support/answers.ts'
import {openUnattended, sharedBrowsers} from '../../support/browser.ts'
import {eventually} from '../../support/eventually.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {FORM} from '../support/forms.ts'
import {type Stage, startStage, type Visit, type VisitOptions} from '../support/stage.ts'
import type {WebPage} from '../support/website.ts'
import {type Recorder, startRecorder} from './recorder.ts'

const tool = (name: string, executeJs: string, more = {}) =>
  toolDocument({_id: name, name, executeJs, ...more})
const CONSENT = {site: {_type: 'reference', _ref: 'consent'}}
const documents = [
  siteDocument({reportCalls: true, askBefore: 'consequential'}),
  tool('find', 'return args.query === "none" ? [] : args.query'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: of the script
  tool('fail', 'throw new Error(`No ${args.query} in ${3} shops\\nCall find first.`)'),
  tool('tell', 'return {isError: true, content: [{type: "text", text: "Closed today"}]}'),
  tool('wait', 'await new Promise((resolve) => { globalThis.resolve = resolve })'),
  tool('placeOrder', 'return "ordered"'),
  formToolDocument({name: 'writeNote', autosubmit: true}),
  formToolDocument({_id: 'ask', name: 'askUs', pagePath: '/contact', selector: '#note'}),
  siteDocument({
    _id: 'consent',
    publicId: 'consent-public',
    reportCalls: true,
    reportAfterConsent: true,
  }),
  tool('look', 'return 1', CONSENT),
]

/** Headers of every request of a browser. They are not made by the snippet. */
const OF_BROWSERS =
  /^(host|connection|content-length|user-agent|accept|accept-encoding|accept-language|origin|sec-.*)$/

const [, EXAMPLE = ''] =
  /```js\n([^`]*reportCalls\(true\)[^`]*)```/.exec(
    await readFile(new URL('../../../docs/privacy.md', import.meta.url), 'utf8'),
  ) ?? []

describe('a page of a site that counts calls', () => {
  let stage: Stage
  let recorder: Recorder
  before(async () => {
    stage = await startStage(documents)
    recorder = await startRecorder(stage.house.serviceAddress)
  })
  after(async () => {
    recorder?.close()
    await stage?.close()
  })
  beforeEach(() => {
    recorder.reports.length = 0
    recorder.others.length = 0
    for (const path of ['/', '/other']) stage.website.pages.set(path, {head: head()})
    stage.website.pages.set('/contact', {head: head(), body: FORM})
  })

  const head = (more = '', site = 'shop-public') =>
    `<script async src="${recorder.address}/snippet.js" data-site="${site}" ${more}></script>`
  /** A visit during which all calls take no time. */
  const visit = (path: string, use: (visit: Visit) => Promise<void>, options: VisitOptions = {}) =>
    stage.visit(path, use, {
      ...options,
      prepare: async (page, context) => {
        await page.addInitScript(
          'globalThis.heard = []; document.addEventListener("handrail:call", ({detail}) => { heard.push(detail) })',
        )
        await (options.prepare ?? ((page) => page.clock.setFixedTime(Date.now())))(page, context)
      },
    })

  /** Leaves the page, as a link does. */
  const leave = (page: Page) => page.goto('about:blank')
  /** Waits until so many calls of a page have ended. Then what counts them is loaded. */
  const heard = (page: Page, count: number) => eventually(() => page.evaluate('heard.length'), count)
  /** Waits until these reports have arrived. */
  const reported = (...expected: unknown[][][]) =>
    eventually(
      async () => recorder.reports.map(({body}) => JSON.parse(body).calls),
      (calls) => JSON.stringify(calls) === JSON.stringify(expected),
    )

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

  test('counts form tools: sent by the agent or the visitor, or left', async () => {
    stage.website.pages.set('/contact', {
      head: head(),
      body: `${FORM}<form id="note"><input name="text"><button>Save</button></form>
        <script>addEventListener('submit', (event) => event.preventDefault())</script>`,
    })
    await visit('/contact', async ({page, agent}) => {
      await agent.sees('askUs', 'fail', 'find', 'placeOrder', 'tell', 'wait', 'writeNote')
      await agent.call('find')
      await heard(page, 1)
      await page.evaluate(`for (const [type, target] of [['toolactivated', document.modelContext], ['submit', window]])
          target.addEventListener(type, () => { globalThis.seen = (globalThis.seen ?? 0) + 1 })`)
      const seen = (count: number) => eventually(() => page.evaluate('globalThis.seen'), count)
      await agent.begin('writeNote', {message: 'Hello'})
      await seen(2)
      await agent.begin('askUs', {text: 'Hello'})
      await seen(3)
      const changeConfig = async (executeJs: string) => {
        await stage.publish([tool('find', executeJs)], '/contact')
        await page.evaluate('handrail.refresh()')
      }
      await changeConfig('return 2')
      await page.getByRole('button', {name: 'Save'}).click()
      await seen(4)
      await changeConfig('return 3')
      await agent.begin('askUs', {text: 'Hello again'})
      await seen(5)
      await page.evaluate('document.querySelector("#note").reset()')
      await agent.begin('askUs', {text: 'And again'})
      await seen(6)
      await leave(page)
      await reported([
        ['find', 'ok', 0, 1],
        ['askUs', 'cancelled', 0, 2],
        ['writeNote', 'ok', 0, 1],
        ['askUs', 'ok', 0, 1],
      ])
    })
  })

  test('counts what a page answers for a form, and neither the time of a question nor that of a visitor', async () => {
    stage.website.pages.set('/contact', {
      head: head(),
      body: `${FORM}<form id="note"><input name="text"><button>Save</button></form>
        <script>addEventListener('submit', (event) => {
          event.preventDefault()
          const {message} = Object.fromEntries(new FormData(event.target))
          event.respondWith(message === 'none' ? [] : message ? Promise.reject(new Error('Closed')) : 'Sent')
        })</script>`,
    })
    const use = async ({page, agent}: Visit) => {
      await agent.sees('askUs', 'fail', 'find', 'placeOrder', 'tell', 'wait', 'writeNote')
      await agent.call('find')
      await heard(page, 1)
      await agent.begin('writeNote', {message: 'none'})
      await heard(page, 2)
      await agent.begin('writeNote', {message: 'fails'})
      await heard(page, 3)
      await agent.begin('askUs', {text: 'Hello'})
      await page.waitForFunction('document.querySelector("#note input").value')
      await page.clock.fastForward(60_000)
      await page.getByRole('button', {name: 'Save'}).click()
      await heard(page, 4)
      const ordered = page.webmcp.callTool('placeOrder', {})
      const allow = page.getByRole('alertdialog').getByRole('button', {name: 'Allow', exact: true})
      await allow.waitFor()
      await page.clock.fastForward(20_000)
      await allow.click()
      await ordered
      await heard(page, 5)
      const declined = page.webmcp.callTool('placeOrder', {})
      await allow.waitFor()
      await page.clock.fastForward(20_000)
      await page.getByRole('alertdialog').getByRole('button', {name: 'Don’t allow'}).click()
      await declined
      await heard(page, 6)
      const all = [await page.evaluate('heard')].flat().map(recordOf)
      assert.equal(all.map(({outcome}) => outcome).join(), 'ok,none,error,ok,ok,declined')
      for (const {tool, duration} of all) assert.ok(Number(duration) < 20_000, `${tool}: ${duration} ms`)
      await leave(page)
      // One more when the minute was over.
      await eventually(() => recorder.reports.length, 2)
    }
    await visit('/contact', use, {prepare: (page) => page.clock.install()})
  })

  test('counts the call of a form tool that changes as cancelled, as the browser ends it', async () => {
    stage.website.pages.set('/contact', {
      head: head(),
      body: `${FORM}<script>addEventListener('submit', (event) => {
          event.preventDefault()
          event.respondWith(new Promise(() => { globalThis.isWaiting = true }))
        })</script>`,
    })
    const form = (description: string) => formToolDocument({name: 'writeNote', autosubmit: true, description})
    await visit('/contact', async ({page, agent}) => {
      await agent.sees('fail', 'find', 'placeOrder', 'tell', 'wait', 'writeNote')
      await agent.call('find')
      await heard(page, 1)
      const sent = await agent.begin('writeNote', {message: 'Hello'})
      await eventually(() => page.evaluate('globalThis.isWaiting'), true)
      await stage.publish([form('Changed.')], '/contact')
      await page.evaluate('handrail.refresh()')
      await heard(page, 2)
      assert.equal(recordOf([await page.evaluate('heard')].flat()[1]).outcome, 'cancelled')
      assert.equal((await sent()).status, 'Canceled')
      await stage.publish([form('Writes.')], '/contact')
      await leave(page)
      await eventually(() => recorder.reports.length, 1)
    })
  })

  test('counts a form that the page takes without an answer by what the page sends', async () => {
    stage.website.pages.set('/contact', {
      head: head(),
      body: `${FORM}<form><input id="other"></form><p class="errorlist">An older error</p>
        <script>addEventListener('submit', (event) => {
          event.preventDefault()
          const {message} = Object.fromEntries(new FormData(event.target))
          if (message === '/') history.pushState(null, '', '/contact?sent')
          else if (message.startsWith('/')) fetch(message, {method: 'POST'})
          if (message.endsWith('watched')) {
            fetch('/broken')
            setTimeout(() => fetch('/broken'), 2_000)
          }
          if (message.endsWith('elsewhere')) document.querySelector('#other').ariaInvalid = 'true'
          event.target.elements.message.ariaInvalid = message.endsWith('refused') ? 'true' : null
        })</script>`,
    })
    const outcomes: Record<string, unknown> = {}
    // The times of requests are real. All at once, so that one limit is waited for.
    const call = (message: string, make: (visit: Visit) => Promise<unknown>) =>
      visit(
        '/contact',
        async (visit) => {
          const {page, agent} = visit
          await agent.call('find')
          await heard(page, 1)
          await make(visit)
          await heard(page, 1 + message.split(' ').length)
          const [, ...ended] = [await page.evaluate('heard')].flat()
          outcomes[message] = ended.map((detail) => recordOf(detail).outcome).join(' ')
          await leave(page)
        },
        {prepare: async () => {}},
      )
    const expected = {
      '/other': 'ok',
      '/': 'ok',
      '/broken': 'error',
      // What the page watches, at the same time and later.
      '/other?watched': 'ok',
      // Longer than the page has to begin it.
      '/slow': 'error',
      '/other?refused': 'error',
      // In another form.
      '/other?elsewhere': 'ok',
      // The page asks again and again for what fails.
      '/other?polled': 'ok',
      // At once, and again.
      'refused refused /other': 'error error ok',
      '/broken /other': 'error ok',
      '/other /other /broken': 'ok ok error',
    }
    stage.website.pages.set('/broken', {status: 500})
    const sent = Object.keys(expected).map((message) =>
      call(message, async ({page, agent}) => {
        await page.route('**/slow', async (route) => {
          await new Promise((resolve) => setTimeout(resolve, 6_000))
          await route.fulfill({status: 500})
        })
        if (message.endsWith('polled')) {
          await page.evaluate(
            '(function poll() { fetch("/broken").finally(() => setTimeout(poll, 1_000)) })()',
          )
          await eventually(
            () => page.evaluate('performance.getEntriesByName(new URL("/broken", location)).length > 1'),
            true,
          )
        }
        const messages = message.split(' ')
        for (const first of messages.slice(0, -1)) await agent.call('writeNote', {message: first})
        await agent.begin('writeNote', {message: messages.at(-1) ?? ''})
      }),
    )
    await Promise.all(sent)
    assert.deepEqual(outcomes, expected)
    await eventually(() => recorder.reports.length, sent.length)
  })

  test('counts a form that the browser sends by the page that it leads to', async () => {
    const rows: [outcome: string, sent: WebPage, next?: string, isSlow?: boolean][] = [
      ['ok', {head: head()}],
      ['error', {head: head(), status: 500}, '/sent', true],
      // It stays, and is left by a link to the same address then.
      ['ok', {status: 204}, '/contact'],
      ['error', {head: head(), status: 422}],
      // No tool is on that page.
      ['error', {head: head('', 'unknown'), status: 500}],
      ['ok', {status: 303, headers: {location: '/thanks'}}, '/thanks'],
      ['error', {status: 303, headers: {location: '/oops'}}, '/oops'],
      // The form again, with what is wrong.
      ['error', {head: head(), body: '<ul class="errorlist"><li>Too short</ul>'}],
      // No page without the tag can say what it is.
      ['ok', {head: '', status: 500}],
    ]
    // A minute of the page is 600 ms. What is slow comes after ten seconds.
    const HASTE = `<script>
        const wait = setTimeout
        globalThis.setTimeout = (use, time = 0, ...more) => wait(use, time / 100, ...more)
        addEventListener('submit', () => setTimeout(() => fetch('/late').catch(() => {}), 10_000))
      </script>`
    stage.website.pages.set('/oops', {head: head(), status: 500})
    for (const [outcome, sent, next = '/sent', isSlow] of rows) {
      recorder.reports.length = 0
      stage.website.pages.set('/sent', sent)
      stage.website.pages.set('/contact', {
        head: `${isSlow || sent.status === 204 ? HASTE : ''}${head()}`,
        body: FORM,
      })
      const use = async ({page, agent}: Visit) => {
        await agent.sees('fail', 'find', 'placeOrder', 'tell', 'wait', 'writeNote')
        await agent.call('find')
        await heard(page, 1)
        if (isSlow) {
          const late = Promise.withResolvers<void>()
          await page.route('**/late', (route) => {
            late.resolve()
            return route.abort()
          })
          await page.route('**/sent?*', async (route) => {
            await late.promise
            await route.continue()
          })
        }
        await agent.begin('writeNote', {message: 'Hello'})
        await page.waitForURL(`**${next}*`)
        if (sent.status === 204) {
          await heard(page, 2)
          stage.website.pages.set('/sent', {head: head()})
          await page.goto(`${stage.website.address}/sent`)
          await eventually(() => page.evaluate('typeof handrail'), 'object')
        }
        if (sent.head === '') await page.goto(`${stage.website.address}/contact`)
        if (sent.head !== undefined || sent.status === 303) await heard(page, 1)
        await leave(page)
        await eventually(
          async () => recorder.reports.flatMap(({body}) => listOf(JSON.parse(body).calls)).map(listOf),
          (calls) => calls.map(([tool, how]) => `${tool} ${how}`).join() === `find ok,writeNote ${outcome}`,
        )
      }
      // The status of a page is real.
      await visit('/contact', use, {prepare: async () => {}})
    }
  })

  test('counts forms that an agent filled in or sent before it could be counted', async () => {
    stage.website.pages.set('/contact', {
      head: head(),
      body: `${FORM}<form id="note"><input name="text"><button>Save</button></form>
        <script>addEventListener('submit', (event) => event.preventDefault())</script>`,
    })
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const prepare = async (page: Page) => {
      await page.clock.install()
      await page.route('**/snippet.calls.js', async (route) => {
        asked.resolve()
        await released.promise
        await route.continue()
      })
    }
    await visit(
      '/contact',
      async ({page, agent}) => {
        await asked.promise
        // As long as forms wait for what counts them.
        await page.clock.runFor(10_000)
        await agent.sees('askUs', 'fail', 'find', 'placeOrder', 'tell', 'wait', 'writeNote')
        await agent.begin('askUs', {text: 'Hello'})
        await page.waitForFunction('document.querySelector("#note input").value')
        await agent.begin('writeNote', {message: 'Hello'})
        await page.waitForFunction('document.querySelector("#contact input").value')
        released.resolve()
        await agent.call('find')
        await heard(page, 1)
        await page.evaluate('document.querySelector("#note").reset()')
        await heard(page, 2)
        await page.clock.runFor(11_000)
        await heard(page, 3)
        const all = [await page.evaluate('heard')].flat().map(recordOf)
        assert.deepEqual(
          all.map(({tool, outcome}) => `${tool} ${outcome}`),
          ['find ok', 'askUs cancelled', 'writeNote none'],
        )
        await leave(page)
        await eventually(() => recorder.reports.length, 1)
      },
      {prepare, isUnready: true},
    )
  })

  test('counts the forms of the page that is open, also if the page before was left at once', async () => {
    stage.website.pages.set('/', {head: head(), body: FORM})
    await visit(
      '/',
      async ({page, agent}) => {
        await agent.sees('fail', 'find', 'placeOrder', 'tell', 'wait')
        await page.evaluate('history.pushState(null, "", "/contact")')
        await agent.sees('fail', 'find', 'placeOrder', 'tell', 'wait', 'writeNote')
        await page.clock.runFor(3_000)
        await agent.call('find')
        await heard(page, 1)
        await page.evaluate('document.forms[0].addEventListener("submit", (event) => event.preventDefault())')
        await agent.begin('writeNote', {message: 'Hello'})
        await page.clock.runFor(11_000)
        await heard(page, 2)
        const outcomes = [await page.evaluate('heard')].flat().map((detail) => recordOf(detail).outcome)
        assert.deepEqual(outcomes, ['ok', 'none'])
        await leave(page)
        // Not during the next test.
        await eventually(() => recorder.reports.length, 1)
      },
      {prepare: (page) => page.clock.install()},
    )
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
        Date.now = () => 1e12 // All calls take no time.
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
