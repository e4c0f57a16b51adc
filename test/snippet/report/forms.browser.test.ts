import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {listOf} from '../../deploy/support/files.ts'
import {recordOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {formToolDocument} from '../../support/shop.ts'
import {FORM} from '../support/forms.ts'
import type {Visit} from '../support/stage.ts'
import type {WebPage} from '../support/website.ts'
import {type CountedPages, heard, leave, startCountedPages, tool} from './countedPages.ts'

describe('the form tools of a site that counts calls', () => {
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
      // An agent that waits no longer calls it once more.
      await agent.begin('askUs', {text: 'Once more'})
      await seen(7)
      await leave(page)
      await reported([
        ['find', 'ok', 0, 1],
        ['askUs', 'cancelled', 0, 3],
        ['writeNote', 'ok', 0, 1],
        ['askUs', 'ok', 0, 1],
      ])
    })
    // Without an event.
    await visit('/contact', async ({page, agent}) => {
      await agent.call('find')
      await heard(page, 1)
      const sent = await agent.begin('askUs', {text: 'Hello'})
      await page.waitForFunction('document.querySelector("#note input").value')
      await page.evaluate('document.querySelector("#note").submit()')
      await page.waitForURL('**?text=Hello')
      assert.equal((await sent()).status, 'Completed')
      await eventually(() => recorder.reports.length, 2)
      assert.equal(
        String(recorder.reports[1]?.body),
        JSON.stringify({
          calls: [
            ['find', 'ok', 0, 1],
            ['askUs', 'ok', 0, 1],
          ],
        }),
      )
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

  test('counts the call of a form that the page answers as cancelled when it changes, as the browser ends it', async () => {
    stage.website.pages.set('/contact', {
      head: head(),
      body: `${FORM}<script>addEventListener('submit', (event) => {
          event.preventDefault()
          event.respondWith(new Promise(() => { globalThis.isWaiting = true }))
        })</script>`,
    })
    const form = (description: string) => formToolDocument({name: 'writeNote', autosubmit: true, description})
    const changes = [
      'document.forms[0].remove()',
      'document.forms[0].outerHTML = "<p>Thanks"',
      'document.forms[0].setAttribute("toolname", "another")',
      'document.forms[0].reset()',
      'handrail.refresh()',
    ]
    for (const change of changes)
      await visit('/contact', async ({page, agent}) => {
        await agent.sees('fail', 'find', 'placeOrder', 'tell', 'wait', 'writeNote')
        await agent.call('find')
        await heard(page, 1)
        const sent = await agent.begin('writeNote', {message: change})
        await eventually(() => page.evaluate('globalThis.isWaiting'), true)
        if (change === changes.at(-1)) await stage.publish([form('Changed.')], '/contact')
        await page.evaluate(`void (${change})`)
        await heard(page, 2)
        assert.equal(recordOf([await page.evaluate('heard')].flat()[1]).outcome, 'cancelled', change)
        assert.equal((await sent()).status, 'Canceled')
        await leave(page)
      })
    await stage.publish([form('Writes.')], '/contact')
    await eventually(() => recorder.reports.length, changes.length)
  })

  test('counts forms that are removed while the visitor thinks, and those that lead to no page, without waiting', async () => {
    stage.website.pages.set('/contact', {
      head: head(),
      body: `${FORM.replace('/sent', 'mailto:a@example.com')}<form id="note"><input name="text"><button>Save</button></form>`,
    })
    const use = async ({page, agent}: Visit) => {
      await agent.sees('askUs', 'fail', 'find', 'placeOrder', 'tell', 'wait', 'writeNote')
      await agent.call('find')
      await heard(page, 1)
      await agent.begin('askUs', {text: 'Hello'})
      await page.waitForFunction('document.querySelector("#note input").value')
      await page.evaluate('document.querySelector("#note").remove()')
      await heard(page, 2)
      await page.evaluate('navigation.addEventListener("navigate", () => { globalThis.isSent = true })')
      await agent.begin('writeNote', {message: 'Hello'})
      await eventually(() => page.evaluate('globalThis.isSent'), true)
      await page.clock.runFor(6_000)
      await heard(page, 3)
      const outcomes = [await page.evaluate('heard')].flat().map((detail) => recordOf(detail).outcome)
      assert.deepEqual(outcomes, ['ok', 'cancelled', 'ok'])
      await leave(page)
      await eventually(() => recorder.reports.length, 1)
    }
    await visit('/contact', use, {prepare: (page) => page.clock.install()})
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
})
