import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {ANSWER_WITHIN} from '../../../snippet/ask/limits.ts'
import {axeMistakes} from '../../support/axe.ts'
import {screenshot} from '../../support/browser.ts'
import {eventually} from '../../support/eventually.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {CONTACT, FORM, toolAttributes} from '../support/forms.ts'
import {assertQuiet, type Stage, startStage, type Visit} from '../support/stage.ts'

const properties = {
  sku: {type: 'string', title: 'Product'},
  count: {type: 'integer', title: 'How many'},
  to: {type: 'object', title: 'Deliver to'},
}
const order = toolDocument({
  _id: 'order',
  name: 'placeOrder',
  inputSchema: JSON.stringify({type: 'object', properties}),
  executeJs: 'globalThis.ordered = args; return "ordered"',
})
const ARGS = {sku: 'rope-12', count: 2, to: {city: 'Oslo'}}
/** What the agent is told instead of a result. */
const told = (text: string) => ({isError: true, content: [{type: 'text', text}]})

const NOTHING = 'Nothing was changed: call again only if they ask for it.'

describe('a site that asks before what cannot easily be undone', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([
      siteDocument({askBefore: 'consequential'}),
      order,
      toolDocument({_id: 'cart', name: 'addToCart'}),
      formToolDocument({name: 'sendMessage', autosubmit: true}),
    ])
    stage.website.pages.set('/contact', {body: FORM})
  })
  after(() => stage?.close())

  /** Calls the tool, and waits for the question. */
  async function asked({page}: Visit, args: object = ARGS) {
    const outcome = page.webmcp.callTool('placeOrder', args)
    // A test that fails earlier says why.
    outcome.catch(() => {})
    const dialog = page.getByRole('alertdialog')
    await dialog.waitFor()
    const button = (name: string) => dialog.getByRole('button', {name, exact: true})
    return {outcome, dialog, allow: button('Allow'), decline: button('Don’t allow')}
  }
  const ordered = ({page}: Visit) => page.evaluate('globalThis.ordered')
  /** What an expression says of the dialog. */
  const inDialog = ({page}: Visit, expression: string) =>
    page.evaluate(
      `(() => { const dialog = document.querySelector('handrail-ask').shadowRoot.querySelector('dialog'); return ${expression} })()`,
    )
  /** Nothing of the question is left. */
  const isGone = ({page}: Visit) => page.evaluate('!document.querySelector("handrail-ask")')
  const errors = /^info: placeOrder/

  test('the call runs if the visitor allows it; other tools do not ask', async () => {
    await stage.visit('/', async (visit) => {
      const {agent, page, lines} = visit
      await page.evaluate(
        'document.body.append(Object.assign(document.createElement("input"), {id: "own"})), own.focus()',
      )
      assert.equal((await agent.call('addToCart', {query: 'rope'})).output, 'rope')
      const asksFor = stage.network.exchanges.filter(({url}) => url.includes('snippet.ask.js'))
      assert.deepEqual(asksFor, [], 'nothing is loaded before a question')

      const {outcome, allow} = await asked(visit)
      assert.equal(await ordered(visit), undefined)
      await allow.click()
      assert.equal(await outcome, 'ordered')
      assert.deepEqual(await ordered(visit), ARGS)
      assert.equal(await isGone(visit), true)
      assert.equal(await page.evaluate('document.activeElement.id'), 'own', 'the focus is where it was')
      assertQuiet(lines)
    })
  })

  test('the call does not run if the visitor declines, presses Escape, or a page script clicks', async () => {
    await stage.visit('/', async (visit) => {
      const {page, lines} = visit
      const first = await asked(visit)
      await first.decline.click()
      assert.deepEqual(await first.outcome, told(`The visitor declined. ${NOTHING}`))

      const second = await asked(visit)
      await page.keyboard.press('Escape')
      assert.deepEqual(await second.outcome, told(`The visitor declined. ${NOTHING}`))

      const third = await asked(visit)
      await page.evaluate(
        'document.querySelector("handrail-ask").shadowRoot.querySelector("button:last-child").click()',
      )
      await page.keyboard.press('Enter')
      assert.deepEqual(
        await third.outcome,
        told(`The visitor declined. ${NOTHING}`),
        'the focus is on "Don’t allow"',
      )
      assert.deepEqual([await ordered(visit), await isGone(visit)], [undefined, true])
      assertQuiet(lines, errors)
    })
  })

  test('a visitor who does not answer within the limit has not allowed it', async () => {
    await stage.visit(
      '/',
      async (visit) => {
        const {outcome} = await asked(visit)
        await visit.page.clock.fastForward(ANSWER_WITHIN - 1_000)
        assert.equal(await isGone(visit), false)
        await visit.page.clock.fastForward(2_000)
        assert.deepEqual(await outcome, told(`The visitor did not answer in time. ${NOTHING}`))
        assert.deepEqual([await ordered(visit), await isGone(visit)], [undefined, true])
      },
      {prepare: (page) => page.clock.install()},
    )
  })

  test('a cancelled call takes its question with it, and the next one asks', async () => {
    await stage.visit('/', async (visit) => {
      const {page} = visit
      const called = page.evaluate(`(async () => {
        globalThis.calling = new AbortController()
        const tool = (await document.modelContext.getTools()).find(({name}) => name === 'placeOrder')
        calling.signal.addEventListener('abort', () => {
          globalThis.next = document.modelContext.executeTool(tool, {})
        })
        return document.modelContext.executeTool(tool, {}, {signal: calling.signal})
      })()`)
      const rejected = assert.rejects(called, /AbortError/)
      const dialog = page.getByRole('alertdialog')
      await dialog.waitFor()
      await page.evaluate('calling.abort()')
      await rejected
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      assert.match(JSON.stringify(await page.evaluate('next')), /The visitor declined/)
      await eventually(() => isGone(visit), Boolean)
      assert.equal(await ordered(visit), undefined)
    })
  })

  test('a question ends when the page or the tool changes', async () => {
    const changed = told('The page changed.')
    await stage.visit('/', async (visit) => {
      const {page} = visit
      const routed = await asked(visit)
      await page.evaluate('history.pushState({}, "", "/?step=2")')
      assert.deepEqual(await routed.outcome, changed)

      const replaced = await asked(visit)
      await page.evaluate('document.documentElement.replaceChildren()')
      assert.deepEqual(await replaced.outcome, changed)

      // As the back/forward cache does, before it keeps the page.
      const cached = await asked(visit)
      await page.evaluate('dispatchEvent(new PageTransitionEvent("pagehide", {persisted: true}))')
      assert.deepEqual(await cached.outcome, changed)

      const switchedOff = await asked(visit)
      await stage.publish([{...order, enabled: false}])
      await page.evaluate('void handrail.refresh()')
      assert.deepEqual(await switchedOff.outcome, changed)
      assert.deepEqual([await ordered(visit), await isGone(visit)], [undefined, true])
      await stage.publish([order])
      await visit.refresh()

      const left = await asked(visit)
      const failed = assert.rejects(left.outcome)
      await page.goto(`${stage.website.address}/elsewhere`)
      await failed
      await page.goBack()
      await eventually(visit.knownSite, (known) => known?.state === 'ready')
      assert.deepEqual([await ordered(visit), await isGone(visit)], [undefined, true])
    })
  })

  test('a second call meanwhile is refused, and the question stays', async () => {
    await stage.visit('/', async (visit) => {
      const {outcome, allow} = await asked(visit)
      const second = await visit.page.webmcp.callTool('placeOrder', {sku: 'other'})
      assert.deepEqual(second, told('The visitor is deciding about another call.'))
      await allow.click()
      assert.equal(await outcome, 'ordered')
      assert.deepEqual(await ordered(visit), ARGS)
    })
  })

  test('an agent cannot move, hide or imitate an argument', async () => {
    stage.website.pages.set('/comments', {
      body: '<handrail-ask></handrail-ask><form name=modelContext id=registerTool><input name=call></form><form name=modelContext></form>',
    })
    await stage.visit('/comments', async (visit) => {
      const {page} = visit
      const note = `Thank you!\n${'\n'.repeat(400)}\u202eend`
      const args = {
        Product: 'rope-1',
        'How many': 1,
        note,
        count: 5000,
        sku: 'anvil',
        ['z\u0301\u0302'.repeat(90)]: 1,
      }
      const {outcome, dialog, allow} = await asked(visit, args)
      assert.match(
        await dialog.innerText(),
        /^An AI[^\n]*\n+Product\nanvil\n+How many\n5000\n+Also sent, not known to this tool\n+Product\nrope-1\n+How many\n1\n+note\nThank you!\n+Show all\n/,
      )
      await dialog.getByRole('button', {name: 'Show all'}).click()
      assert.match(await dialog.innerText(), /\n\\u\{202e\}end/)
      assert.equal(await allow.isDisabled(), true, 'the end is below')
      await screenshot(page, 'ask-unknown.png')
      await dialog.getByRole('button', {name: '↓'}).click()
      assert.equal(await allow.isDisabled(), true, 'there is more below')
      await page.keyboard.press('End')
      await allow.click()
      assert.equal(await outcome, 'ordered')
      assert.deepEqual(await ordered(visit), args)
    })
  })

  test('a click in the first half second does not allow a call', async () => {
    await stage.visit(
      '/',
      async (visit) => {
        const {page, agent} = visit
        await agent.sees('addToCart', 'placeOrder')
        await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 1_000'))
        const {allow, outcome, decline} = await asked(visit)
        assert.equal(await allow.isDisabled(), true)
        await page.clock.fastForward(400)
        assert.equal(await allow.isDisabled(), true)
        await page.clock.fastForward(400)
        assert.equal(await allow.isDisabled(), false)
        await decline.click()
        await outcome
      },
      {prepare: (page) => page.clock.install()},
    )
  })

  test('the script gets the arguments that the visitor saw, whatever a page script does to them', async () => {
    const head = `<script>{
      const {prototype} = document.modelContext.constructor, own = prototype.registerTool
      prototype.registerTool = function (tool, options) {
        const execute = (args, more) => { globalThis.seen = args; return tool.execute(args, more) }
        return own.call(this, {...tool, execute}, options)
      }
    }</script>`
    stage.website.pages.set('/wrapped', {head: head + stage.tag()})
    await stage.visit('/wrapped', async (visit) => {
      // The schema does not name it, so it is not copied when it is checked.
      const args = {...ARGS, more: {wrap: true}}
      const {outcome, dialog, allow} = await asked(visit, args)
      await visit.page.evaluate('seen.count = 99; seen.to.city = "Elsewhere"; seen.more.wrap = 1')
      assert.match(await dialog.innerText(), /How many\s+2\s/)
      await allow.click()
      assert.equal(await outcome, 'ordered')
      assert.deepEqual(await ordered(visit), args)
    })
  })

  test('a form tool that would be submitted without asking waits for the visitor', async () => {
    await stage.visit('/contact', async ({page, agent}) => {
      assert.deepEqual(await toolAttributes(page), {...CONTACT, toolname: 'sendMessage'})
      await agent.begin('sendMessage', {message: 'Hello'})
      await eventually(() => page.locator('[name=message]').inputValue(), 'Hello')
      assert.equal(new URL(page.url()).pathname, '/contact')
      await page.getByRole('button', {name: 'Send'}).click()
      await page.waitForURL(/\/sent\?message=Hello/)
    })
  })

  test('it asks under a strict policy with Trusted Types, without a violation of its own', async () => {
    const policy = `default-src 'none'; img-src data:; script-src ${stage.network.address}; connect-src ${stage.network.address}; require-trusted-types-for 'script'; trusted-types 'none'`
    stage.website.pages.set('/strict', {headers: {'content-security-policy': policy}})
    await stage.visit('/strict', async (visit) => {
      await visit.page.evaluate(`globalThis.violations = []
        addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))`)
      const {outcome, allow} = await asked(visit)
      assert.equal(await inDialog(visit, 'getComputedStyle(dialog).borderRadius'), '8px')
      assert.deepEqual(await visit.page.evaluate('violations'), [])
      await allow.click()
      assert.equal(await outcome, 'ordered')
    })
  })

  test('it fits into 320 pixels, long arguments scroll under the buttons, and nothing moves if visitors want that', async () => {
    await stage.visit('/', async (visit) => {
      const {page} = visit
      await page.emulateMedia({reducedMotion: 'reduce'})
      const moving = `[dialog, ...dialog.querySelectorAll('*')]
        .flatMap((element) => [getComputedStyle(element), getComputedStyle(element, '::backdrop')])
        .filter(({animationName, transitionDuration, scrollBehavior}) =>
          animationName !== 'none' || transitionDuration !== '0s' || scrollBehavior !== 'auto').length`
      for (const size of [
        {width: 320, height: 480},
        {width: 1_000, height: 700},
      ]) {
        await page.setViewportSize(size)
        const long = {...ARGS, note: `${'word '.repeat(400)}${'x'.repeat(200)}`}
        const {outcome, dialog, allow, decline} = await asked(visit, long)
        const box = await dialog.boundingBox()
        assert.ok(box && box.x >= 0 && box.x + box.width <= size.width && box.height <= size.height)
        assert.equal(await inDialog(visit, 'dialog.scrollWidth > dialog.clientWidth'), false)
        assert.equal(await inDialog(visit, 'dialog.scrollTop'), 0, 'it begins with the question')
        for (const button of [allow, decline]) assert.ok(await button.isVisible())
        await decline.click({trial: true})
        await page.keyboard.press('End')
        await allow.click({trial: true})
        assert.equal(await inDialog(visit, moving), 0)
        await decline.click()
        await outcome
      }
    })
  })

  test('a keyboard and a screen reader reach all of it, in the language of the page', async () => {
    await stage.visit('/', async (visit) => {
      const {page} = visit
      await page.evaluate('document.documentElement.lang = "de-CH"')
      const outcome = page.webmcp.callTool('placeOrder', ARGS)
      const dialog = page.getByRole('alertdialog', {name: 'Ein KI-Agent möchte „Place Order“ ausführen.'})
      await dialog.waitFor()
      assert.equal(await dialog.getAttribute('lang'), 'de')
      const session = await page.context().newCDPSession(page)
      const {nodes} = await session.send('Accessibility.getFullAXTree')
      const described = nodes.find(({role}) => role?.value === 'alertdialog')?.description?.value
      assert.match(String(described), /Product rope-12 How many 2 Deliver to .*Oslo/)
      const focused = () => nodesText()
      const nodesText = () => page.evaluate('document.activeElement.shadowRoot?.activeElement?.textContent')
      assert.equal(await focused(), 'Nicht erlauben')
      await dialog.getByRole('button', {name: 'Erlauben', exact: true, disabled: false}).waitFor()
      await page.keyboard.press('Tab')
      assert.equal(await focused(), 'Erlauben')
      for (const [name, media, size] of [
        ['light', {colorScheme: 'light'}, {width: 900, height: 600}],
        ['dark', {colorScheme: 'dark'}, {width: 900, height: 600}],
        ['narrow', {colorScheme: 'light'}, {width: 320, height: 560}],
        ['forced', {colorScheme: 'dark', forcedColors: 'active'}, {width: 900, height: 600}],
      ] as const) {
        await page.emulateMedia(media)
        await page.setViewportSize(size)
        await screenshot(page, `ask-${name}.png`)
        assert.deepEqual(await axeMistakes(page), [], name)
      }
      await page.keyboard.press('Enter')
      assert.equal(await outcome, 'ordered')
    })
  })

  test('it asks while the panel is open, too', async () => {
    stage.website.pages.set('/panel', {head: stage.tag('data-panel')})
    await stage.visit('/panel', async (visit) => {
      const {outcome, allow} = await asked(visit)
      await allow.click()
      assert.equal(await outcome, 'ordered')
      assert.deepEqual(await ordered(visit), ARGS)
    })
  })

  test('a question that cannot be loaded is an error for the agent, and is loaded with the next call', async () => {
    await stage.visit('/', async (visit) => {
      stage.network.fault = (url) => (url.includes('snippet.ask.js') ? {kind: 'refuse'} : {kind: 'none'})
      const failed = JSON.stringify(await visit.page.webmcp.callTool('placeOrder', ARGS))
      assert.match(failed, /"isError":true.*Failed to fetch dynamically imported module/)
      stage.network.fault = {kind: 'none'}
      const {outcome, allow} = await asked(visit)
      await allow.click()
      assert.equal(await outcome, 'ordered')
    })
  })
})
