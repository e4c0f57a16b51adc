import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import type {BrowserContext, Page} from 'playwright-core'
import {buildTesting} from '../../snippet/build/build.ts'
import {recordOf} from '../support/answers.ts'
import {eventually} from '../support/eventually.ts'
import {toolDocument} from '../support/shop.ts'
import {CONTACT, FORM, type FormStage, formAt, startFormStage, toolAttributes} from './support/forms.ts'
import {assertQuiet, type Stage, type Visit} from './support/stage.ts'

/** Makes `getTools()` return what Chrome 160 returns (https://developer.chrome.com/docs/ai/webmcp/updates). */
const CHROME_160 = `{
  const {getTools, executeTool} = ModelContext.prototype
  const listed = new WeakMap()
  class Tool {}
  for (const name of ['name', 'title', 'description', 'annotations', 'origin'])
    Object.defineProperty(Tool.prototype, name, {get() { return listed.get(this)[name] }})
  Object.defineProperty(Tool.prototype, 'source', {get() { return listed.get(this).window }})
  Object.defineProperty(Tool.prototype, 'inputSchema', {get() { return listed.get(this).inputSchema ?? null }})
  ModelContext.prototype.getTools = async function (...options) {
    return (await getTools.apply(this, options)).map((tool) => {
      const shown = new Tool()
      listed.set(shown, tool)
      return shown
    })
  }
  // Bound, so that it looks like the browser's own.
  ModelContext.prototype.executeTool = ((tool, ...more) =>
    executeTool.call(document.modelContext, listed.get(tool), ...more)).bind()
}`

describe('the forms of a page', () => {
  let stage: Stage
  let given: FormStage['given']
  before(async () => {
    ;({stage, given} = await startFormStage())
  })
  after(() => stage?.close())
  beforeEach(() => stage.answerConfigs(undefined))

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
      assert.deepEqual(await toolAttributes(page), {...CONTACT, toolautosubmit: 'true'})
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

  test('are the same tools after a script has put back a copy of the page', async () => {
    await given('/copy', FORM, {})
    await stage.visit('/copy', async ({page, agent, refresh, site}) => {
      await agent.sees('contactUs')
      // As Turbo and htmx do on the way to another page and back.
      await page.evaluate(`window.kept = document.body.cloneNode(true)
        document.body.innerHTML = '<p>Another page</p>'`)
      await eventually(site, ({forms}) => String(forms) === '')
      await page.evaluate('document.body.replaceWith(kept)')
      await agent.sees('contactUs')
      await eventually(site, ({forms, problems}) => `${forms} ${JSON.stringify(problems)}` === 'contactUs {}')
      await stage.publish([formAt('/copy', {_id: 'copy-0', enabled: false})], '/copy')
      await refresh()
      await agent.sees()
      assert.deepEqual(await toolAttributes(page), {})
    })
  })

  test('keep changes that the page has made since', async () => {
    await given('/changed', FORM, {})
    await stage.visit('/changed', async ({page, agent, site, refresh}) => {
      await agent.sees('contactUs')
      await page.evaluate('document.querySelector("form").setAttribute("tooldescription", "The page’s own.")')
      await eventually(site, ({problems}) => problems.contactUs === 'its form is already used')
      await stage.publish([formAt('/changed', {_id: 'changed-0', enabled: false})], '/changed')
      await refresh()
      assert.deepEqual(await toolAttributes(page), {tooldescription: 'The page’s own.'})
    })
  })

  test('get their attributes back, and no others, from a script that morphs the page to its HTML', async () => {
    await given('/morph', FORM, {fields: [{name: 'message', description: 'What to say.'}]})
    await stage.visit('/morph', async ({page, agent, site}) => {
      await agent.sees('contactUs')
      for (const part of ['tool', 'tooldescription', 'toolname', 'toolparam']) {
        await page.evaluate(`for (const element of document.querySelectorAll('#contact, input'))
          for (const {name} of [...element.attributes]) if (name.startsWith('${part}')) element.removeAttribute(name)`)
        // At once: an agent does not see that they were gone.
        assert.deepEqual(await toolAttributes(page), CONTACT)
        assert.deepEqual(await toolAttributes(page, 'input'), {toolparamdescription: 'What to say.'})
      }
      await agent.sees('contactUs')
      const {forms, changes} = await site()
      assert.deepEqual([forms, changes], [['contactUs'], 1])
    })
  })

  for (const name of ['toolname', 'tooldescription'])
    test(`are tools no longer, with a reason, if a script of the page removes “${name}” all the time`, async () => {
      const often = `<script>setInterval(() => document.querySelector('form').removeAttribute('${name}'), 50)</script>`
      await given(`/often-${name}`, FORM + often, {})
      const visited = async ({page, site}: Visit) => {
        await eventually(site, ({forms}) => forms.join() === 'contactUs')
        await page.clock.runFor(20_000)
        const {forms, problems} = await site()
        assert.deepEqual([forms, problems], [[], {contactUs: 'the page removes its attributes'}])
        assert.deepEqual(await toolAttributes(page), {})
      }
      await stage.visit(`/often-${name}`, visited, {prepare: (page) => page.clock.install()})
    })

  test('are the page’s own, with a reason, while it names them itself', async () => {
    await given('/renamed', FORM, {})
    await stage.visit('/renamed', async ({page, agent, site}) => {
      await agent.sees('contactUs')
      const named = (script: string) => page.evaluate(`document.querySelector('form').${script}`)
      await named('setAttribute("toolname", "own")')
      const {forms, problems} = await site()
      assert.deepEqual([forms, problems], [[], {contactUs: 'its form is already used'}])
      assert.deepEqual(await toolAttributes(page), {toolname: 'own'})
      await named('removeAttribute("toolname")')
      await agent.sees('contactUs')
      assert.deepEqual((await site()).problems, {})
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
      const attributes = {toolname: 'writeUs', tooldescription: 'Writes.', toolautosubmit: 'true'}
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
      assert.deepEqual(await toolAttributes(page), {...CONTACT, toolautosubmit: 'true'})
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
      assert.deepEqual((await site()).problems, {contactUs: 'its form is already used'})
      assert.deepEqual(said(), [
        'warning: [handrail] shop-public: problem with contactUs: its form is already used',
      ])
    })
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
        inScript: 'Duplicate tool name',
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

  test('leave the tools of a page alone in Chrome 160, and the panel and tests of tools know whose they are', async () => {
    await given('/160', FORM, {name: 'inScript'})
    const own = `<script>document.modelContext.registerTool({name: 'inScript', description: 'd', execute: () => 'own'})</script>`
    stage.website.pages.set('/160', {head: own + stage.tag('data-panel'), body: FORM})
    const {text: testing} = await buildTesting()
    const prepare = async (page: Page) => {
      await page.addInitScript(CHROME_160)
      await page.addInitScript(testing)
    }
    await stage.visit(
      '/160',
      async ({page, site}) => {
        assert.deepEqual((await site()).problems, {inScript: 'Duplicate tool name'})
        const found: unknown = await page.evaluate(`handrailTesting.find('shop-public', 'inScript', 0)`)
        assert.deepEqual(found, {
          isThere: true,
          state: 'ready',
          problem: 'Duplicate tool name',
          schema: undefined,
        })
        const tool = page.locator('[data-tool=inScript]')
        await tool.getByText('By the page').waitFor()
        await tool.locator('summary').click()
        await tool.getByRole('button', {name: 'Call it'}).click()
        await tool.locator('pre', {hasText: 'own'}).waitFor()
      },
      {prepare},
    )
  })

  test('are tools where WebMCP can only register tools, as in ChatGPT’s browser, and so are scripts', async () => {
    await given('/bare', FORM, {})
    const bare = `<script>
      const {modelContext} = document
      const registerTool = (tool, options) => modelContext.registerTool(tool, options)
      Object.defineProperty(document, 'modelContext', {value: Object.freeze({registerTool})})
    </script>`
    stage.website.pages.set('/bare', {head: bare + stage.tag(), body: FORM})
    await stage.publish([toolDocument({_id: 'bare', name: 'bareScript', pathPattern: '/bare'})], '/bare')
    await stage.visit('/bare', async ({agent, lines}) => {
      await agent.sees('bareScript', 'contactUs')
      assertQuiet(lines)
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
})
