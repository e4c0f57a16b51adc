import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import type {BrowserContext, Page} from 'playwright-core'
import {recordOf} from '../support/answers.ts'
import type {ContentDocument} from '../support/content.ts'
import {eventually} from '../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../support/shop.ts'
import {assertQuiet, type Stage, startStage, type Visit} from './support/stage.ts'

const FORM = `<form id="contact" action="/sent">
  <label>Message <input name="message"></label><button>Send</button>
</form>`

const CONTACT = {toolname: 'contactUs', tooldescription: 'Sends a message to the shop.'}

/** A form tool of one page, so that tests do not affect each other. */
function formAt(page: string, fields: object = {}) {
  return formToolDocument({_id: page.slice(1), pagePath: page, ...fields})
}

/** The attributes of an element that begin with "tool". */
function toolAttributes(page: Page, selector = '#contact'): Promise<unknown> {
  return page.evaluate(`Object.fromEntries(
    Array.from(document.querySelector('${selector}').attributes, ({name, value}) => [name, value])
      .filter(([name]) => name.startsWith('tool')),
  )`)
}

describe('the forms of a page', {timeout: 120_000}, () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([siteDocument()])
  })
  after(() => stage?.close())
  beforeEach(() => stage.answerConfigs(undefined))

  let documents: ContentDocument[] = []

  /**
   * A page with a body and form tools. They are the only form tools of the site, if each name is used once.
   */
  async function given(path: string, body: string, ...fields: object[]): Promise<void> {
    stage.website.pages.set(path, {body})
    if (documents.length > 0) await stage.house.repository.remove(documents)
    documents = fields.map((more, index) => formAt(path, {_id: `${path.slice(1)}-${index}`, ...more}))
    await stage.publish(documents, path)
  }

  test('are tools with a schema of their fields, which a person submits', async () => {
    await given('/person', FORM, {})
    await stage.visit('/person', async ({page, agent, lines, site}) => {
      await agent.sees('contactUs')
      assert.deepEqual(await toolAttributes(page), CONTACT)
      const [tool] = await page.webmcp.tools()
      assert.deepEqual(tool?.inputSchema, {
        type: 'object',
        properties: {message: {type: 'string', description: 'Message'}},
        required: [],
      })
      assert.deepEqual((await site()).forms, ['contactUs'])

      await agent.begin('contactUs', {message: 'Hello'})
      await page.waitForFunction('document.querySelector("input").value === "Hello"')
      assert.equal(new URL(page.url()).pathname, '/person')
      await page.click('button')
      await page.waitForURL('**/sent?message=Hello')
      assertQuiet(lines)
    })
  })

  test('are submitted by the agent if an editor enables that', async () => {
    await given('/auto', FORM, {autosubmit: true})
    await stage.visit('/auto', async ({page, agent}) => {
      await agent.sees('contactUs')
      assert.deepEqual(await toolAttributes(page), {...CONTACT, toolautosubmit: ''})
      await agent.begin('contactUs', {message: 'Hi'})
      await page.waitForURL('**/sent?message=Hi')
    })
  })

  test('are restored when the tool is removed', async () => {
    const body = FORM.replace('<form', '<form class="wide" data-x="1"')
    await given('/leave', body, {autosubmit: true})
    await stage.visit('/leave', async ({page, agent, refresh}) => {
      await agent.sees('contactUs')
      await stage.publish([formAt('/leave', {_id: 'leave-0', enabled: false})], '/leave')
      await refresh()
      await agent.sees()
      assert.equal(await page.evaluate('document.querySelector("form").outerHTML'), body)
    })
  })

  test('keep changes that the page has made since', async () => {
    await given('/changed', FORM, {})
    await stage.visit('/changed', async ({page, agent, refresh}) => {
      await agent.sees('contactUs')
      await page.evaluate('document.querySelector("form").setAttribute("tooldescription", "The page’s own.")')
      await stage.publish([formAt('/changed', {_id: 'changed-0', enabled: false})], '/changed')
      await refresh()
      assert.deepEqual(await toolAttributes(page), {tooldescription: 'The page’s own.'})
    })
  })

  test('follow a tool that changes, and stay untouched by a config that does not change it', async () => {
    await given('/follow', FORM, {})
    await stage.visit('/follow', async ({page, agent, refresh}) => {
      await agent.sees('contactUs')
      await refresh()
      assert.deepEqual(agent.events.splice(0), ['+contactUs'])
      const changed = {_id: 'follow-0', name: 'writeUs', description: 'Writes.', autosubmit: true}
      await stage.publish([formAt('/follow', changed)], '/follow')
      await refresh()
      await agent.sees('writeUs')
      const attributes = {toolname: 'writeUs', tooldescription: 'Writes.', toolautosubmit: ''}
      assert.deepEqual(await toolAttributes(page), attributes)
      assert.deepEqual(agent.events, ['-contactUs', '+writeUs'])
    })
  })

  test('have fields that an editor described, in place of their labels', async () => {
    const body = `<form id="contact" action="/sent">
      <label>Message <input name="message"></label>
      <label><input type="radio" name="topic" value="a"> A</label>
      <label><input type="radio" name="topic" value="b"> B</label>
      <label>City <input name="city" toolparamdescription="The page’s own."></label><button>Send</button>
    </form><label>Outside <input name="outside" form="contact"></label>`
    const fields = ['message', 'topic', 'city', 'outside'].map((name) => ({
      name,
      title: `T ${name}`,
      description: `D ${name}`,
    }))
    await given('/fields', body, {fields})
    await stage.visit('/fields', async ({page, agent, refresh, lines}) => {
      await agent.sees('contactUs')
      const [tool] = await page.webmcp.tools()
      const descriptions = Object.entries(recordOf(recordOf(tool?.inputSchema).properties)).map(
        ([name, schema]) => [name, recordOf(schema).description],
      )
      // Chromium 156 describes no group of radio buttons, whatever their attributes.
      assert.deepEqual(descriptions, [
        ['message', 'D message'],
        ['topic', undefined],
        ['city', 'The page’s own.'],
        ['outside', 'D outside'],
      ])
      const radios = `Array.from(document.querySelectorAll('[name=topic]'), (radio) =>
        radio.getAttribute('toolparamtitle') + radio.getAttribute('toolparamdescription'))`
      assert.deepEqual(await page.evaluate(radios), ['T topicD topic', 'T topicD topic'])
      await stage.publish([formAt('/fields', {_id: 'fields-0', enabled: false})], '/fields')
      await refresh()
      await agent.sees()
      assert.equal(await page.evaluate('document.body.innerHTML'), body)
      assertQuiet(lines)
    })
  })

  test('have described fields that appear later, and one that does not exist is a problem', async () => {
    const fields = [
      {name: 'message', title: 'Your text'},
      {name: 'email', description: 'Yours.'},
    ]
    await given('/late-field', FORM, {fields})
    await stage.visit('/late-field', async ({page, agent, site, refresh}) => {
      await refresh()
      await agent.sees('contactUs')
      assert.deepEqual((await site()).problems, {contactUs: 'its form has no field email'})
      await page.evaluate(
        `document.querySelector('form').insertAdjacentHTML('beforeend', '<input name=email>')`,
      )
      await eventually(site, ({problems}) => Object.keys(problems).length === 0)
      const [tool] = await page.webmcp.tools()
      assert.deepEqual(recordOf(recordOf(tool?.inputSchema).properties).email, {
        type: 'string',
        description: 'Yours.',
      })
    })
  })

  test('become tools without an issue in DevTools if the page has prepared them', async () => {
    const prepared = FORM.replace('<form', '<form toolname="" tooldescription=""')
    await given('/prepared', prepared, {autosubmit: true})
    const issues: string[] = []
    const prepare = async (page: Page, context: BrowserContext) => {
      const session = await context.newCDPSession(page)
      session.on('Audits.issueAdded', ({issue}) => issues.push(JSON.stringify(issue)))
      await session.send('Audits.enable')
    }
    const visited = async ({page, agent, lines}: Visit) => {
      await agent.sees('contactUs')
      assert.deepEqual(agent.events, ['+contactUs'])
      assert.deepEqual(await toolAttributes(page), {...CONTACT, toolautosubmit: ''})
      assertQuiet(lines)
    }
    await stage.visit('/prepared', visited, {prepare})
    assert.deepEqual(issues, [])
    // The issue that this avoids. Without it, pages need no preparation.
    stage.website.pages.set('/prepared', {body: FORM})
    await stage.visit('/prepared', visited, {prepare})
    assert.match(issues.join(), /FormModelContextMissingToolName/)
  })

  test('that are tools already are never changed', async () => {
    const own =
      '<form id="contact" toolname="own" tooldescription="The page’s own."><button>Go</button></form>'
    await given('/own', own, {autosubmit: true})
    await stage.visit('/own', async ({page, agent, said, site, refresh}) => {
      await refresh()
      await agent.sees('own')
      assert.deepEqual(await toolAttributes(page), {toolname: 'own', tooldescription: 'The page’s own.'})
      assert.deepEqual((await site()).problems, {contactUs: 'its form is already a tool'})
      assert.deepEqual(said(), [
        'warning: [handrail] shop-public: problem with contactUs: its form is already a tool',
      ])
    })
  })

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

  test('that are missing are logged with data-debug', async () => {
    await given('/missing', '', {})
    stage.website.pages.set('/missing', {head: stage.tag('data-debug')})
    const visited = async ({page, said}: Visit) => {
      await page.clock.fastForward(6_000)
      await eventually(
        async () => said().join('\n'),
        (log) => log.endsWith('problem with contactUs: no form matches form#contact'),
      )
    }
    await stage.visit('/missing', visited, {prepare: (page) => page.clock.install()})
  })

  test('do not take a name in use, and keep the tool of that name', async () => {
    const body = `${FORM}<form toolname="inForm" tooldescription="d"></form><form id="other"></form><script>
      document.modelContext.registerTool({name: 'inScript', description: 'd', execute: () => 'own'})
    </script>`
    const fields = [{name: 'inScript'}, {name: 'inForm', selector: '#other'}]
    await given('/used', body, ...fields)
    await stage.visit('/used', async ({page, agent, site, said, refresh}) => {
      await refresh()
      assert.deepEqual((await site()).problems, {
        inScript: 'its name is already used',
        inForm: 'its name is already used',
      })
      assert.equal(said().length, 2)
      for (const index of [0, 1])
        await stage.publish(
          [formAt('/used', {_id: `used-${index}`, enabled: false, ...fields[index]})],
          '/used',
        )
      await refresh()
      await agent.sees('inScript', 'inForm')
      assert.equal(await page.webmcp.callTool('inScript'), 'own')
    })
  })

  test('give their name to a script and get it back', async () => {
    const named = (isForm: boolean) => [
      formAt('/swap', {_id: 'swap-0', name: 'swapped', enabled: isForm}),
      toolDocument({
        _id: 'swap-1',
        name: 'swapped',
        enabled: !isForm,
        pathPattern: '/swap',
        executeJs: 'return 1',
      }),
    ]
    await given('/swap', FORM, {name: 'swapped'})
    await stage.visit('/swap', async ({page, agent, refresh, lines}) => {
      await agent.sees('swapped')
      await stage.publish(named(false), '/swap')
      await refresh()
      assert.equal(await page.webmcp.callTool('swapped'), 1)
      assert.deepEqual(await toolAttributes(page), {})
      await stage.publish(named(true), '/swap')
      await refresh()
      await agent.sees('swapped')
      assert.deepEqual(agent.events, ['+swapped', '-swapped', '+swapped', '-swapped', '+swapped'])
      assertQuiet(lines)
    })
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
        (events) => events.join() === '+contactUs,-contactUs,+contactUs',
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
          await new Promise((resolve) => setTimeout(resolve))
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
