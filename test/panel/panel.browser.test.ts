import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {handedIn} from '../../making/studioLink.ts'
import {previewLink} from '../../snippet/previewLink.ts'
import type {Visit, VisitOptions} from '../snippet/support/stage.ts'
import {eventually} from '../support/eventually.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {aboutTool, configTool, offer} from './support/drafts.ts'
import {LINK, type PreviewStage, startPreviewStage} from './support/previewStage.ts'

describe('the panel in a preview', () => {
  let stage: PreviewStage
  before(async () => {
    stage = await startPreviewStage([
      siteDocument(),
      toolDocument(),
      toolDocument({_id: 'cart', name: 'viewCart', pathPattern: '/cart'}),
    ])
  })
  after(() => stage?.close())
  beforeEach(() => {
    stage.website.pages.clear()
    offer(stage, configTool())
  })

  const preview = (path: string, use: (visit: Visit) => Promise<void>, options?: VisitOptions) =>
    stage.visit(path + LINK, use, options)
  const tool = (page: Page, name = 'findBargains') => page.locator(`[data-tool=${name}]`)
  const kept = (page: Page) => page.evaluate('sessionStorage["handrail-preview"] ?? ""')

  async function open(page: Page, name?: string) {
    const item = tool(page, name)
    await item.locator('summary').click()
    return item
  }

  test('a site with reviews runs no draft before a person agrees, and asks again for another link', async () => {
    const pay = configTool({name: 'pay', executeJs: 'globalThis.ran = true'})
    offer(stage, pay)
    Object.assign(stage.drafts, {
      asksForReview: true,
      about: [aboutTool({name: 'pay', state: 'new', author: 'Eve'})],
    })
    await preview('/', async ({page, agent}) => {
      const run = page.getByRole('button', {name: 'Run the drafts'})
      await page.getByText('pay (new draft, last changed by Eve)').waitFor()
      await agent.sees('searchProducts')
      const click = 'document.querySelector("handrail-panel").shadowRoot.querySelector(".primary").click()'
      await page.evaluate(click)
      await page.reload()
      await run.waitFor()
      await agent.sees('searchProducts')

      await run.click()
      await agent.sees('pay')
      await page.reload()
      await agent.sees('pay')
      assert.equal(await run.count(), 0)
      for (const link of [LINK, '#handrail-preview=shop-public.token:OTHER']) {
        await page.goto(`${stage.website.address}/other`)
        await page.goto(`${stage.website.address}/${link}`)
        await run.waitFor()
        await agent.sees('searchProducts')
        assert.equal(
          await kept(page),
          'shop-public.token:TOKEN',
          'a link is exchanged, and never has a token',
        )
      }
    })
  })

  test('drafts of somebody who may not publish ask on a site without reviews, too', async () => {
    offer(stage, configTool({name: 'pay'}))
    Object.assign(stage.drafts, {
      asksForReview: false,
      about: [aboutTool({name: 'pay', state: 'new', author: 'Eve', mayBePublished: false})],
    })
    await preview('/', async ({page, agent}) => {
      await page.getByText('Somebody wrote these drafts of Harbour Supply who may not publish').waitFor()
      await agent.sees('searchProducts')
      await page.getByRole('button', {name: 'Run the drafts'}).click()
      await agent.sees('pay')
    })
  })

  test('on a site with a hash router, fragments are pages, and a link leaves the router its page', async () => {
    // Like Vue Router, it writes the address as it has understood it.
    const body = `<h1></h1><script>
      const show = () => {
        const [path] = location.hash.replace(/^#!?/, '').split('?')
        document.querySelector('h1').textContent = ['/cart', '/', ''].includes(path) ? 'Page ' + path : 'Not found'
      }
      const fullPath = location.hash
      show()
      addEventListener('hashchange', show)
      globalThis.rewrite = () => history.replaceState({current: 1}, '', fullPath)
    </script>`
    stage.website.pages.set('/app', {head: stage.tag('data-hash-router'), body})
    await stage.visit('/app#/cart', async ({page, agent, site}) => {
      await agent.sees('searchProducts', 'viewCart')
      assert.equal((await site()).path, '/cart')
      await page.evaluate('location.hash = "#!/other?x=/cart"')
      await agent.sees('searchProducts')
      assert.equal((await site()).path, '/other')
    })
    const link = new URL(
      previewLink('https://shop.example/app#/cart?size=l', 'shop-public', 'SECRET', 'new tool'),
    )
    await stage.visit(`/app${link.hash}`, async ({page}) => {
      await page.locator('header code', {hasText: '/cart'}).waitFor()
      await page.getByRole('tab', {name: 'Make a tool', selected: true}).waitFor()
      assert.equal(await page.locator('h1').innerText(), 'Page /cart')
      assert.equal(await page.evaluate('location.hash'), '#/cart?size=l')
      assert.equal(await kept(page), 'shop-public.token:TOKEN')
      await page.evaluate('rewrite()')
      assert.equal(await page.evaluate('location.hash + history.state.current'), '#/cart?size=l1')
      await page.evaluate(`location.hash = ${JSON.stringify(link.hash)}`)
      await page.getByRole('tab', {name: 'Make a tool', selected: true}).waitFor()
      await eventually(() => page.evaluate('location.hash'), '#/cart?size=l')
    })
    for (const typed of ['#handrail-preview=panel', '#/handrail-preview=panel'])
      await stage.visit(`/app${typed}`, async ({page}) => {
        await page.locator('h1', {hasText: /^Page/}).waitFor()
        await page.getByRole('tab', {name: 'Make a tool'}).waitFor()
        assert.doesNotMatch(page.url(), /handrail/)
      })
  })

  test('drafts are registered in place of what is published, for agents too', async () => {
    await preview('/', async ({page, agent}) => {
      await agent.sees('findBargains')
      assert.deepEqual(await page.webmcp.callTool('findBargains', {query: 'rope'}), {found: 'rope'})
      assert.equal(await kept(page), 'shop-public.token:TOKEN')
      await tool(page).getByText('Changed draft').waitFor()
      assert.equal(await page.getByText(/4[45] minutes left/).isVisible(), true)
    })
    await stage.visit('/', async ({page, agent}) => {
      await agent.sees('searchProducts')
      assert.equal(await page.locator('handrail-panel').count(), 0, 'other tabs have what is published')
    })
  })

  test('an editor tries a draft, sees the line of an error, and the correction without a reload', async () => {
    offer(stage, configTool({executeJs: 'const shop = {}\nawait null\nreturn shop.find(args.query)'}))
    await preview('/', async ({page}) => {
      await page.evaluate('globalThis.marked = true')
      const item = await open(page)
      await item.getByRole('button', {name: 'Call it'}).click()
      await item.getByText('lacks ["query"]').waitFor()
      await item.getByLabel('query').fill('rope')
      await item.getByLabel('query').press('Enter')
      await item.getByText('Error in line 3: shop.find is not a function').waitFor()
      await item.getByText('return shop.find(args.query)').waitFor()

      offer(
        stage,
        configTool({
          description: 'Changed.',
          executeJs: 'return {price: 48, text: "x".repeat(args.query.length)}',
          outputSchema: {type: 'object', properties: {price: {type: 'string'}}},
        }),
      )
      const corrected = async () => {
        await item.getByRole('button', {name: 'Call it'}).click()
        return item.locator('pre').first().textContent()
      }
      await eventually(corrected, (text) => text === '{\n  "price": 48,\n  "text": "xxxx"\n}')
      await item.getByText(/^26 of 1,500 characters .* ms$/).waitFor()
      await item.getByText('“price” does not match the output schema: it must be string: it is 48.').waitFor()
      assert.equal(await item.getByLabel('query').inputValue(), 'rope')
      assert.equal(await page.evaluate('marked'), true)
    })
  })

  test('says what is not here and why, what to improve, and where Studio edits it', async () => {
    stage.drafts.reasons = ['No tool is offered to visitors, because the site is switched off.']
    stage.drafts.about = [
      aboutTool({
        state: 'new',
        advice: [{severity: 'warning', message: 'The script never reads it.', line: 2}],
      }),
      aboutTool({
        id: 'v',
        name: 'viewCart',
        isOffered: false,
        title: 'Other pages',
        reasons: ['Its pattern is /cart.'],
      }),
    ]
    stage.drafts.formTools = [{name: 'contactUs', description: 'Sends.', selector: '#missing'}]
    const orders = {...configTool({id: 'w', name: 'listMyOrders'}), offeredWhile: {has: ['.account']}}
    stage.drafts.conditional = {tools: [orders], formTools: []}
    await preview('/', async ({page, agent}) => {
      const item = await open(page)
      await item.getByText('New draft').waitFor()
      await item.getByText('Line 2: The script never reads it.').waitFor()
      const edit = item.getByRole('link', {name: 'Edit in Studio'})
      const address = 'https://studio.example/base/intent/edit/id=bargains;type=tool/'
      assert.equal(await edit.getAttribute('href'), address)
      await page.getByText('because the site is switched off').waitFor()
      await page.getByRole('tab', {name: 'Not here'}).click()
      const missing = page.locator('[data-missing=viewCart]')
      await missing.getByText('Other pages', {exact: true}).waitFor()
      await missing.getByText('Its pattern is /cart.').waitFor()
      await page.locator('[data-missing=contactUs]').getByText('No form matches #missing.').waitFor()
      await page.locator('[data-missing=listMyOrders]').getByText('The page has no “.account”.').waitFor()
      await page.evaluate('document.body.className = "account"')
      await agent.sees('findBargains', 'listMyOrders')
      delete stage.drafts.conditional
    })
  })

  test('lists calls of agents as they happen, and tools that the page registered itself', async () => {
    const body = `<script>document.modelContext?.registerTool({
      name: 'ofPage', description: 'A tool of the page.', execute: async () => 'from the page',
    }, {})</script>`
    stage.website.pages.set('/', {body})
    await preview('/', async ({page, agent}) => {
      await agent.sees('findBargains', 'ofPage')
      await page.webmcp.callTool('findBargains', {query: 'rope'})
      await page.webmcp.callTool('ofPage', {})
      const item = await open(page, 'ofPage')
      await item.getByText('By the page').waitFor()
      await page.getByText('Of the page itself: 1. Agents see all 2 tools of this page.').waitFor()
      const tell = await page.getByRole('link', {name: 'Tell Studio about them'}).getAttribute('href')
      const handed = handedIn(new URL(tell ?? '').hash)
      assert.equal(handed?.kind, 'pageTools')
      assert.deepEqual(handed.value, {site: 'shop', names: ['ofPage'], preview: 'preview-id'})
      await item.getByRole('button', {name: 'Call it'}).click()
      await item.locator('pre').getByText('from the page').waitFor()
      await page.getByRole('tab', {name: 'Calls 3'}).click()
      const calls = page.locator('[data-call]')
      assert.deepEqual(
        await calls
          .locator('.what')
          .allTextContents()
          .then((texts) => texts.map((text) => text.split(',')[0])),
        ['From this panel', 'By an agent', 'By an agent'],
      )
      await calls.nth(2).locator('summary').click()
      await calls.nth(2).getByText('"query": "rope"').waitFor()
      await calls.nth(2).getByText('"found": "rope"').waitFor()
    })
  })

  test('calls the tool of the entry that was pressed, also if a frame has one of the same name', async () => {
    const register = (where: string) => `document.modelContext.registerTool({
      name: 'pay', description: 'Pays ${where}.', execute: async ({sum}) => '${where}: ' + sum,
      inputSchema: {type: 'object', properties: {sum: {type: 'number'}}},
    }, {})`
    stage.website.pages.set('/', {body: '<iframe src="/frame"></iframe>'})
    stage.website.pages.set('/frame', {head: ''})
    await preview('/', async ({page}) => {
      const frame = page.frame({url: /frame$/})
      assert.ok(frame)
      // Chromium on a busy machine loses one tool of sixty that frames register while they load.
      await frame.evaluate(register('in the frame'))
      await page.evaluate(register('here'))
      for (const [where, badge, sum] of [
        ['in the frame', 'In a frame', '7'],
        ['here', 'By the page', '8'],
      ] as const) {
        const item = tool(page, 'pay').filter({hasText: `Pays ${where}.`})
        await item.locator('summary').click()
        await item.getByText(badge).waitFor()
        await item.getByLabel('sum').fill(sum)
        await item.getByLabel('sum').press('Enter')
        await item.locator('pre').getByText(`${where}: ${sum}`).waitFor()
      }
    })
  })

  test('says that a page sends a form itself and does not answer', async () => {
    const form = '<form id="contact"><input name="message"><button>Send</button></form>'
    const script = '<script>document.forms[0].onsubmit = (event) => event.preventDefault()</script>'
    stage.website.pages.set('/', {body: form + script})
    stage.drafts.formTools = [
      {name: 'contactUs', description: 'Sends.', selector: '#contact', autosubmit: true},
    ]
    await preview('/', async ({page, agent}) => {
      await agent.sees('findBargains', 'contactUs')
      const item = await open(page, 'contactUs')
      await item.getByRole('button', {name: 'Call it'}).click()
      await item.getByText(/^This page sends the form itself .* Agents are told only this:$/).waitFor()
      await item.locator('pre').getByText('Look at the page before you submit the form again.').waitFor()
    })
  })

  test('a call can be stopped', async () => {
    const executeJs = 'await new Promise((_, reject) => signal.onabort = () => reject(signal.reason))'
    offer(stage, configTool({executeJs, inputSchema: {type: 'object', properties: {}}}))
    await preview('/', async ({page}) => {
      const item = await open(page)
      await item.getByRole('button', {name: 'Call it'}).click()
      await item.getByText('Calling the tool…').waitFor()
      await item.getByRole('button', {name: 'Stop'}).click()
      await item.getByText('Stopped.').waitFor()
    })
  })

  test('follows navigation within the page, and stays over a page load', async () => {
    await preview('/', async ({page, agent}) => {
      await agent.sees('findBargains')
      offer(stage, configTool({name: 'ofCart'}))
      await page.evaluate('history.pushState({}, "", "/cart?x=1")')
      await agent.sees('ofCart')
      await page.getByText('on /cart').waitFor()
      await page.goto(`${stage.website.address}/other`)
      await tool(page, 'ofCart').waitFor()
    })
  })

  test('"End preview" registers what is published and removes the panel from the tab', async () => {
    await preview('/', async ({page, agent}) => {
      await agent.sees('findBargains')
      await page.getByRole('button', {name: 'End preview'}).click()
      await agent.sees('searchProducts')
      assert.equal(await page.locator('handrail-panel').count(), 0)
      assert.equal(await kept(page), '')
      await page.reload()
      await agent.sees('searchProducts')
      assert.equal(await page.locator('handrail-panel').count(), 0)
    })
  })

  test('when the preview has ended elsewhere, it says so and registers what is published', async () => {
    await preview('/', async ({page, agent}) => {
      await agent.sees('findBargains')
      stage.refusal = {status: 401, code: 'PREVIEW_ENDED', message: 'It is over. Open it again from Studio.'}
      await agent.sees('searchProducts')
      await page.getByText('It is over. Open it again from Studio.').waitFor()
      assert.equal(await kept(page), '')
      await page.getByRole('button', {name: 'Close'}).click()
      await page.locator('handrail-panel').waitFor({state: 'detached'})
    })
  })

  test('while the service is unavailable, drafts stay and the panel says that it retries, and does so soon', async () => {
    const clocked = {prepare: (page: Page) => page.clock.install()}
    await preview(
      '/',
      async ({page, agent}) => {
        await agent.sees('findBargains')
        stage.refusal = {status: 503, code: 'UPSTREAM_UNAVAILABLE', message: 'Busy.'}
        const message = page.getByText('The service returned nothing (Busy.).')
        await message.waitFor()
        await agent.sees('findBargains')
        stage.refusal = undefined
        // A visitor's page would wait for five seconds at least.
        await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 4_500)
        const statuses = async () =>
          stage.network.exchanges.filter(({url}) => url.includes('/preview?')).map(({status}) => status)
        await eventually(statuses, (found) => found.at(-1) === 200 || found.at(-1) === 304)
        await page.clock.resume()
        await message.waitFor({state: 'detached'})
      },
      clocked,
    )
  })

  test('says while the drafts are loading that what is found can be ticked then', async () => {
    await preview('/', async ({page}) => {
      await page.getByRole('tab', {name: 'Make a tool'}).click()
      stage.refusal = {status: 503, code: 'UPSTREAM_UNAVAILABLE', message: 'Busy.'}
      await page.reload()
      const note = page.getByText('Studio’s drafts are still loading')
      await note.waitFor()
      stage.refusal = undefined
      await note.waitFor({state: 'detached'})
    })
  })

  test('says what the policy that blocked the service has to allow', async () => {
    const {origin} = new URL(stage.network.address)
    const policy = `script-src ${origin}; connect-src 'self'`
    stage.website.pages.set('/', {headers: {'content-security-policy': policy}})
    const visited = async ({page}: Visit) => {
      await page.getByText(`to add ${origin} to its connect-src.`).waitFor()
      assert.equal(await page.getByText('The service returned nothing').count(), 0)
    }
    await preview('/', visited, {isUnready: true})
  })

  test('a link for another site leaves the page as it is for visitors, and says so', async () => {
    await stage.visit('/#handrail-preview=other-site.SECRET', async ({page, agent}) => {
      await agent.sees('searchProducts')
      await page.getByText('The preview link is for another site').waitFor()
    })
  })

  test('without drafts, the panel lists what is published, also on other pages', async () => {
    stage.website.pages.set('/', {head: stage.tag('data-panel')})
    await stage.visit('/', async ({page, agent}) => {
      await agent.sees('searchProducts')
      await tool(page, 'searchProducts').getByText('Published').waitFor()
      await page.locator('.site').getByText(new URL(stage.website.address).host).waitFor()
      await page.getByRole('tab', {name: 'Not here'}).click()
      await page.locator('[data-missing=viewCart]').getByText('offered on other pages than /.').waitFor()
      assert.equal(await page.getByRole('button', {name: /End|Close/}).count(), 0)
    })
  })

  test('works on a page whose elements and fields are named like members of document and form, and says that it has a worker', async () => {
    const src = `${stage.network.address}/snippet.js?site=shop-public&panel`
    const names = [
      'getAttribute',
      'elements',
      'querySelectorAll',
      'parentElement',
      'contains',
      'id',
      'message',
    ]
    stage.website.pages.set('/', {
      head: `<script async src="${src}"></script>`,
      body: `<img name="modelContext" alt=""><img name="forms" alt=""><img name="querySelectorAll" alt="">
        <form id="contact"><h2>Contact</h2>${names.map((name) => `<input name="${name}">`).join('')}</form>
        <form id="plain"><input name="plain"></form><script>new Worker('/worker.js')</script>`,
    })
    stage.website.pages.set('/worker.js', {script: ''})
    await stage.visit('/', async ({page, agent, lines}) => {
      await agent.sees('searchProducts')
      await tool(page, 'searchProducts').getByText('Published').waitFor()
      // Not with locators: these fields break Playwright's own scripts in the page.
      const inPanel = (selector: string, then: string) =>
        page.evaluate(
          `[...document.querySelector('handrail-panel').shadowRoot.querySelectorAll('${selector}')]${then}`,
        )
      await inPanel('[role=tab]', '.find((tab) => tab.textContent.includes("Make a tool")).click()')
      await eventually(
        () => inPanel('[data-form]', '.map((form) => form.dataset.form).join()'),
        '#contact,#plain',
      )
      await eventually(() => inPanel('[data-request$="/worker.js"] .problem', '.length'), 1)
      const buttons = await inPanel('button', '.map((button) => button.textContent).join()')
      assert.doesNotMatch(String(buttons), /Close/, 'its tag asks for the panel')
      assert.deepEqual(lines, [])
    })
  })

  test('shows every site of a page, and drafts of the one that the link is for', async () => {
    const other = siteDocument({_id: 'other', publicId: 'other-public'})
    const reference = {_ref: 'other', _type: 'reference'}
    await stage.house.repository.commit([other, toolDocument({_id: 'o', name: 'ofOther', site: reference})])
    stage.website.pages.set('/', {head: stage.tag() + stage.tag('', 'other-public')})
    await preview('/', async ({page, agent}) => {
      await agent.sees('findBargains', 'ofOther')
      await tool(page, 'ofOther').getByText('Published').waitFor()
      await tool(page).getByText('Changed draft').waitFor()
      assert.equal(await page.locator('handrail-panel').count(), 1)
    })
  })
})
