import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {eventually} from '../support/eventually.ts'
import {CONTACT, FORM, type FormStage, formAt, startFormStage, toolAttributes} from './support/forms.ts'
import {assertQuiet, type Stage, type Visit} from './support/stage.ts'

describe('the elements that become form tools', () => {
  let stage: Stage
  let given: FormStage['given']
  before(async () => {
    ;({stage, given} = await startFormStage())
  })
  after(() => stage?.close())
  beforeEach(() => stage.answerConfigs(undefined))

  test('are only the first match, and only form elements', async () => {
    const body = `<div class="row"></div><form class="row" id="contact"></form>
      <form class="row" id="second"></form>`
    await given('/first', body, {selector: 'div, .row', name: 'row'})
    await stage.visit('/first', async ({page, agent, site, lines}) => {
      await agent.sees('row')
      assert.deepEqual(await page.evaluate('document.querySelector("[toolname]").id'), 'contact')
      assert.deepEqual(await toolAttributes(page, '#second'), {})
      assert.deepEqual((await site()).problems, {})
      assertQuiet(lines)
    })
  })

  test('that are missing are a problem once the page has had time to show them, until it does', async () => {
    await given('/missing', '<main id="contact"></main>', {}, {name: 'box', selector: '.box'})
    const visited = async ({page, agent, site, lines}: Visit) => {
      assert.deepEqual((await site()).problems, {}, 'the page may still be loading')
      await page.clock.fastForward(6_000)
      const missing = {contactUs: 'no form matches form#contact', box: 'no form matches .box'}
      const {problems} = await eventually(site, (known) => Object.keys(known.problems).length > 0)
      assert.deepEqual(problems, missing)
      await page.evaluate(`document.querySelector('main').outerHTML = \`${FORM}\``)
      await page.clock.fastForward(1_000)
      await agent.sees('contactUs')
      assert.deepEqual((await site()).problems, {box: missing.box})

      await page.evaluate('history.pushState(null, "", "/plain"); history.back()')
      await eventually(site, ({state, path}) => state === 'ready' && path === '/missing')
      assert.deepEqual((await site()).problems, {}, 'after a navigation, the page gets time again')
      assertQuiet(lines)
    }
    await stage.visit('/missing', visited, {prepare: (page) => page.clock.install()})
  })

  test('are found when they appear later, and again when they are re-created', async () => {
    await given('/later', '<main></main>', {})
    await stage.visit('/later', async ({page, agent, site, lines}) => {
      assert.deepEqual(await agent.names(), [])
      const render = () => page.evaluate(`document.querySelector('main').innerHTML = \`${FORM}\``)
      await render()
      await agent.sees('contactUs')
      await page.evaluate('globalThis.old = document.querySelector("form")')
      await render()
      await eventually(
        () => agent.names().then(() => agent.events),
        ['+contactUs', '-contactUs', '+contactUs'],
      )
      assert.equal(await page.evaluate('old.hasAttribute("toolname")'), false)
      await page.evaluate('document.querySelector("form").remove()')
      await eventually(site, ({forms}) => forms.length === 0)
      assertQuiet(lines)
    })
  })

  test('are recognised if the page copies its own markup', async () => {
    await given('/copied', `<main>${FORM}</main>`, {})
    await stage.visit('/copied', async ({page, agent, lines, refresh}) => {
      await agent.sees('contactUs')
      await page.evaluate('{ const main = document.querySelector("main"); main.innerHTML += "<hr>" }')
      await stage.publish([formAt('/copied', {_id: 'copied-0', description: 'Another one.'})], '/copied')
      await refresh()
      assert.deepEqual(await toolAttributes(page), {...CONTACT, tooldescription: 'Another one.'})
      await agent.sees('contactUs')
      await stage.publish([formAt('/copied', {_id: 'copied-0', enabled: false})], '/copied')
      await refresh()
      assert.deepEqual(await toolAttributes(page), {})
      await agent.sees()
      assertQuiet(lines)
    })
  })

  test('move to another element when that becomes the first match', async () => {
    await given('/moved', `<main>${FORM}</main>`, {selector: 'form'})
    await stage.visit('/moved', async ({page, agent, lines}) => {
      await agent.sees('contactUs')
      await page.evaluate(
        'document.querySelector("main").insertAdjacentHTML("beforebegin", "<form id=new></form>")',
      )
      await page.waitForSelector('#new[toolname]', {state: 'attached'})
      assert.deepEqual(await toolAttributes(page), {})
      await agent.sees('contactUs')
      assertQuiet(lines)
    })
  })

  test('cost a handful of queries, however often the page changes its elements', async () => {
    await given('/busy', '<main></main>', {})
    const count = `globalThis.looks = 0
      const {querySelector} = Document.prototype
      Document.prototype.querySelector = function (selector) {
        if (selector.includes('form#contact')) globalThis.looks++
        return querySelector.call(this, selector)
      }`
    const visited = async ({page, agent}: Visit) => {
      await page.evaluate('globalThis.looks = 0')
      await page.evaluate(`(async () => {
        const main = document.getElementsByTagName('main')[0]
        for (let batch = 0; batch < 100; batch++) {
          for (let index = 0; index < 100; index++) main.append(document.createElement('p'))
          await new Promise((resolve) => setTimeout(resolve)) // observers run between batches
        }
        main.innerHTML += \`${FORM}\`
      })()`)
      await agent.sees('contactUs')
      const looks = Number(await page.evaluate('looks'))
      assert.ok(looks > 0 && looks <= 40, `${looks} looks for 10,000 elements`)
    }
    await stage.visit('/busy', visited, {prepare: (page) => page.addInitScript(count)})
  })

  test('are not watched if the config has none', async () => {
    const count = `const watching = new Set()
      globalThis.watching = watching
      const {observe, disconnect} = MutationObserver.prototype
      MutationObserver.prototype.observe = function (target, options) {
        // Playwright watches the document too, not what is in it.
        if (options.subtree) watching.add(this)
        observe.call(this, target, options)
      }
      MutationObserver.prototype.disconnect = function () { watching.delete(this); disconnect.call(this) }`
    await given('/watched', FORM, {})
    const prepare = (page: Page) => page.addInitScript(count)
    await stage.visit('/plain', async ({page}) => assert.equal(await page.evaluate('watching.size'), 0), {
      prepare,
    })
    const visited = async ({page, agent}: Visit) => {
      assert.equal(await page.evaluate('watching.size'), 1)
      await page.evaluate('history.pushState(null, "", "/plain")')
      await agent.sees()
      assert.equal(await page.evaluate('watching.size'), 0)
    }
    await stage.visit('/watched', visited, {prepare})
  })

  test('survive an invalid selector', async () => {
    const formTool = {
      id: 'f',
      name: 'contactUs',
      description: 'Sends.',
      selector: 'form#contact',
      autosubmit: false,
    }
    stage.website.pages.set('/selector', {body: FORM})
    stage.answerConfigs({
      siteId: 'shop',
      tools: [],
      formTools: [{...formTool, id: 'g', name: 'broken', selector: '((('}, formTool],
      pollInterval: 300,
    })
    await stage.visit('/selector', async ({agent, site, lines}) => {
      await agent.sees('contactUs')
      assert.deepEqual((await site()).forms, ['contactUs'])
      assertQuiet(lines)
    })
  })
})
