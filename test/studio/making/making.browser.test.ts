import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Locator, Page} from 'playwright-core'
import {parseMadeTool} from '../../../making/madeTool.ts'
import {handedIn, handoverLink} from '../../../making/studioLink.ts'
import {agentOf} from '../../snippet/support/agent.ts'
import {configOf} from '../../support/answers.ts'
import {axeMistakes} from '../../support/axe.ts'
import {screenshot, sharedBrowsers} from '../../support/browser.ts'
import {eventually} from '../../support/eventually.ts'
import {type Library, SECRETS, startLibrary} from '../../support/library/library.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {fieldOf, goTo, openStudio, PUBLISH, type RunningStudio, showAllFields} from '../support/studio.ts'

/** A person who makes a tool: what they click and type is counted. */
class Person {
  clicks = 0
  texts = 0

  async click(target: Locator): Promise<void> {
    this.clicks += 1
    await target.click()
  }

  async type(target: Locator, text: string): Promise<void> {
    this.texts += 1
    await target.fill(text)
  }
}

/** Tools that an editor makes by showing them on the real page. Each test continues from the previous one. */
describe('an editor makes tools on the page of a library', () => {
  let studio: RunningStudio
  let ada: Page
  let trouble: string[]
  let library: Library
  /** The library, in Ada's browser. */
  let tab: Page
  /** The tab of Studio that the first tool opened. */
  let earlier: Page | undefined
  /** Everything that Ada's browser sent to others than the library. */
  const sent: string[] = []

  before(async () => {
    ;({
      studio,
      page: ada,
      trouble,
    } = await openStudio('/overview', (page) => page.getByText('Harbour Supply').first()))
    const tag = `<script async nonce="NONCE" src="${studio.serviceAddress}/snippet.js" data-site="town-library"></script>`
    library = await startLibrary({tag, serviceOrigin: studio.serviceAddress})
    ada.context().on('request', (request) => {
      if (!request.url().startsWith(library.address))
        sent.push(`${request.url()} ${request.postData() ?? ''}`)
    })
    await studio.repository.commit([
      siteDocument({
        _id: 'library',
        name: 'Town Library',
        publicId: 'town-library',
        addresses: [library.address],
      }),
    ])
    await goTo(ada, '/overview/library')
    await ada.getByTestId('site-page').getByTestId('start-make-tool').click()
    await ada.getByRole('menuitem', {name: 'Show it on a page'}).click()
    await ada.getByTestId('preview-dialog').getByTestId('page-path').fill('/events')
    const opening = ada.context().waitForEvent('page')
    await ada.getByTestId('preview-open').click()
    tab = await opening
    await tab.setViewportSize({width: 1100, height: 960})
    await tab.getByRole('tab', {name: 'Make a tool', selected: true}).waitFor()
    await ada.getByTestId('preview-dialog').waitFor({state: 'detached'})
  })

  after(async () => {
    await library?.close()
    await studio?.close()
  })

  const makes = () => tab.getByRole('link', {name: 'Make this tool'})

  /** The document of the tool that the panel hands to Studio. */
  async function made() {
    const {hash} = new URL((await makes().getAttribute('href')) ?? '')
    const parsed = parseMadeTool(handedIn(hash)?.value)
    assert.ok(parsed.ok, JSON.stringify(parsed))
    return parsed.value.document
  }

  test('records a search, and agents get what was ticked: without a line of code', async (t) => {
    const person = new Person()
    await tab.getByText('Tick what agents may use.').waitFor()
    await tab.getByLabel('Card PIN').fill(SECRETS.password)
    await person.type(tab.getByLabel('Search events'), 'rope')
    await person.click(tab.getByRole('button', {name: 'Search', exact: true}))
    await tab.getByText('Rope making, 2026-12-03').waitFor()
    const request = tab.locator('[data-proposal=searchEvents][data-request]')
    await request.getByRole('checkbox').waitFor()
    await screenshot(tab, 'making-requests.png')
    assert.deepEqual(await axeMistakes(tab, 'handrail-panel'), [])
    await person.click(request.getByRole('button', {name: 'Details'}))
    for (const row of await tab.locator('[data-path]').all())
      if (
        (await row.isChecked()) !==
        /\[\]\.(?:title|date|branch)$/.test((await row.getAttribute('data-path')) ?? '')
      )
        await person.click(row)
    await person.type(tab.getByLabel('What it does'), 'Finds events of the library by words.')
    const shown = await tab.getByRole('figure', {name: 'What an agent gets'}).innerText()
    assert.deepEqual(JSON.parse(shown), [{title: 'Rope making', date: '2026-12-03', branch: 'Central'}])
    await tab.getByText('Your page adds authorization, and this tool does not send it.').waitFor()
    await screenshot(tab, 'making-request.png')
    assert.deepEqual(await axeMistakes(tab, 'handrail-panel'), [])
    const opening = ada.context().waitForEvent('page')
    await person.click(makes())
    const form = await opening
    // It loads Studio once more.
    form.setDefaultTimeout(60_000)
    await form.locator(PUBLISH).waitFor()
    assert.equal(await fieldOf(form, 'name').inputValue(), 'searchEvents')
    assert.ok(!form.url().includes('#'), form.url())
    await screenshot(form, 'making-searchEvents-studio.png')
    await person.click(form.locator(PUBLISH))
    await eventually(
      () => studio.repository.git('log', '-1', '--format=%s'),
      (subject) => subject.startsWith('Publish tool searchEvents'),
    )
    earlier = form
    assert.ok(person.clicks <= 12 && person.texts <= 3, JSON.stringify(person))

    // A page that loads sooner asks for changes only after minutes.
    const config = `${studio.serviceAddress}/api/sites/town-library/config?path=/events`
    await eventually(
      () => configOf(fetch(config)),
      ({names}) => names.includes('searchEvents'),
    )
    const context = await (await sharedBrowsers.withWebMcp()).newContext()
    t.after(() => context.close())
    const page = await context.newPage()
    await page.goto(`${library.address}/events`)
    const agent = await agentOf(page)
    await eventually(
      () => agent.names(),
      (names) => names.includes('searchEvents'),
    )
    assert.deepEqual(await agent.call('searchEvents', {query: 'knots'}), {
      status: 'Completed',
      output: [{title: 'Knots for beginners', date: '2026-12-01', branch: 'Harbour'}],
    })
  })

  test('tries the tool on the same page, without a reload', async () => {
    await tab.getByRole('button', {name: 'Try it'}).click()
    const item = tab.locator('[data-tool=searchEvents]')
    await item.getByLabel('query').fill('reading')
    await item.getByRole('button', {name: 'Call it'}).click()
    await item.getByText('Reading evening').waitFor()
  })

  test('keeps a call as a test, changes the tool so that it fails, and sees that before publishing', async () => {
    const person = new Person()
    const item = tab.locator('[data-tool=searchEvents]')
    await person.click(item.getByRole('button', {name: 'Call it'}))
    await person.click(item.getByRole('button', {name: 'Keep this call as a test'}))
    const shown =
      '/events?q=rope, query “reading”: the result has at least 1 entry; the result has “title” of the first entry'
    await item.getByText(shown, {exact: true}).waitFor()
    assert.deepEqual(await axeMistakes(tab, 'handrail-panel'), [])
    const opening = ada.context().waitForEvent('page')
    await person.click(item.getByRole('link', {name: 'Add the test in Studio'}))
    const form = await opening
    form.setDefaultTimeout(60_000)
    await form.getByTestId('field-tests').getByText(shown, {exact: true}).waitFor()
    assert.ok(!form.url().includes('#'), form.url())
    await eventually(() => earlier?.isClosed(), true)
    await screenshot(form, 'making-test-studio.png')
    const runs = item.getByRole('button', {name: 'Run the tests of searchEvents'})
    await runs.waitFor()

    const changes = () => tab.evaluate<number>('handrail.sites["town-library"].changes')
    const before = await changes()
    await person.click(form.getByRole('tab', {name: 'What it does'}))
    const address = fieldOf(form, 'request.address')
    await person.click(address)
    await address.fill('/api/v3/events')
    // The panel has the changed draft.
    await eventually(changes, (count) => count > before)
    await person.click(runs)
    const tests = tab.locator('[data-tests=searchEvents]')
    await tests.getByText(/^\/api\/v3\/events\S* returned a web page instead of JSON\./).waitFor()
    await tests.getByText('failed', {exact: true}).waitFor()
    assert.ok(person.clicks <= 6, JSON.stringify(person))
    await screenshot(tab, 'making-test-failed.png')
    assert.deepEqual(await axeMistakes(tab, 'handrail-panel'), [])
    const subject = await studio.repository.git('log', '-1', '--format=%s')
    assert.match(subject, /^Publish tool searchEvents/, 'the draft is not published')
    await form.close()
  })

  test('leaves out what stands in a field for a password, and lists a query that is not in UTF-8', async () => {
    await tab.goto(`${library.address}/events`)
    await tab.getByRole('tab', {name: 'Make a tool'}).click()
    await tab.getByText('Tick what agents may use.').waitFor()
    await tab.getByLabel('Card PIN').fill(SECRETS.password)
    await tab.evaluate(`fetch('/api/v2/events?q=%E4pfel&a=${SECRETS.password}')`)
    await tab.locator('[data-request*="pfel"]').getByRole('button', {name: 'Details'}).click()
    await tab.getByText('\ufffdpfel').waitFor()
    assert.equal(await tab.getByLabel('Use of a', {exact: true}).inputValue(), 'leave')
  })

  test('picks the table of opening hours', async () => {
    const person = new Person()
    await tab.goto(`${library.address}/opening-hours`)
    await person.click(tab.getByRole('tab', {name: 'Make a tool'}))
    await person.click(tab.getByRole('button', {name: 'Point at an element'}))
    await tab.getByRole('cell', {name: '14:00'}).hover()
    await screenshot(tab, 'making-pick.png')
    await person.click(tab.getByRole('cell', {name: '14:00'}))
    await person.type(tab.getByLabel('What it does'), 'Returns the opening hours of the library.')
    const hours = {
      openingHours: [
        {Day: 'Monday', From: '9:00', To: '17:00'},
        {Day: 'Saturday', From: '10:00', To: '14:00'},
      ],
    }
    const shown = await tab.getByRole('figure', {name: 'What an agent gets'}).innerText()
    assert.deepEqual(JSON.parse(shown), hours)
    await screenshot(tab, 'making-picked.png')
    assert.deepEqual(await axeMistakes(tab, 'handrail-panel'), [])
    assert.equal((await made()).name, 'getOpeningHours')
    assert.ok(person.clicks <= 10 && person.texts <= 3, JSON.stringify(person))
  })

  test('makes of what is picked in results a search of all pages', async () => {
    await tab.goto(`${library.address}/catalogue?q=rope`)
    await tab.getByRole('tab', {name: 'Make a tool'}).click()
    await tab.evaluate('document.body.prepend(document.createElement("iframe"))')
    await tab.getByRole('button', {name: 'Point at an element'}).click()
    await tab.locator('iframe').click()
    await tab.getByText('This is a page of its own in a frame').waitFor()
    await tab.waitForFunction('document.activeElement === document.body')
    await tab.keyboard.press('Escape')
    await tab.getByText('This is a page of its own in a frame').waitFor({state: 'detached'})
    await tab.getByRole('button', {name: 'Point at an element'}).click()
    await tab.getByText('Shelf 5').click()
    await eventually(() => tab.getByLabel('Name', {exact: true}).inputValue(), 'findCatalogue')
    assert.equal(await tab.getByLabel('Use of q', {exact: true}).inputValue(), 'parameter')
    await screenshot(tab, 'making-search.png')
    assert.deepEqual(await axeMistakes(tab, 'handrail-panel'), [])
  })

  test('lists what a page has, searches once, and saves all that is ticked with one tab of Studio', async () => {
    const person = new Person()
    await tab.goto(`${library.address}/catalogue?q=`)
    await person.click(tab.getByRole('tab', {name: 'Make a tool'}))
    const list = tab.getByRole('list', {name: 'What this page has'})
    const entry = list.locator('[data-proposal=getCatalogue]')
    await entry.getByText('Returns the entries of “Catalogue”: title, address, shelf.').waitFor()
    await screenshot(tab, 'making-list.png')
    assert.deepEqual(await axeMistakes(tab, 'handrail-panel'), [])
    await person.click(entry.getByRole('button', {name: 'Look at getCatalogue'}))
    assert.equal(await tab.evaluate('document.getAnimations().length'), 1)
    await person.type(tab.getByLabel('Words'), 'rope')
    await tab.getByLabel('Words').press('Enter')

    const books = list.locator('[data-proposal=findCatalogue]')
    await books.getByText('Searches “Catalogue” by query, and returns what is found').waitFor()
    for (const name of ['findCatalogue Search', 'suggestABook'])
      await person.click(list.getByRole('checkbox', {name}))
    // What is typed counts, also when it is not shown any more.
    const details = books.getByRole('button', {name: 'Details'})
    await details.click()
    await books.getByLabel('What it does').fill('Finds books by words of their titles.')
    await details.click()
    await books.getByText('Finds books by words of their titles.').waitFor()
    const opening = ada.context().waitForEvent('page')
    await person.click(tab.getByRole('link', {name: 'Make 2 drafts'}))
    const form = await opening
    form.setDefaultTimeout(60_000)
    await form.getByText('2 drafts saved').first().waitFor()
    const second = form.getByTestId('site-page').getByRole('link', {name: 'suggestABook'})
    assert.match((await second.getAttribute('href')) ?? '', /formTool/)
    await screenshot(form, 'making-list-studio.png')
    await form.close()
    await books.getByRole('link', {name: 'Open in Studio'}).waitFor()
    await tab.locator('[data-tool=suggestABook]').waitFor({state: 'attached'})
    await books.getByRole('button', {name: 'Try it'}).waitFor()
    await screenshot(tab, 'making-list-made.png')
    assert.deepEqual(await axeMistakes(tab, 'handrail-panel'), [])
    await books.getByRole('button', {name: 'Try it'}).click()
    const item = tab.locator('[data-tool=findCatalogue]')
    await item.getByText('Finds books by words of their titles.').waitFor()
    await item.getByLabel('query').fill('sail')
    await item.getByRole('button', {name: 'Call it'}).click()
    await item.getByText('Shelf 4').waitFor()
    assert.ok(person.clicks <= 6 && person.texts <= 1, JSON.stringify(person))
  })

  test('makes a tool for pages with an id in their address, of a request that was sent before', async () => {
    const person = new Person()
    await tab.goto(`${library.address}/books/b1`)
    await person.click(tab.getByRole('tab', {name: 'Make a tool'}))
    await person.click(tab.getByText('Other requests: 1'))
    await person.click(tab.getByRole('button', {name: 'Load it again'}))
    await person.click(tab.locator('[data-request]').getByRole('button', {name: 'Details'}))
    await screenshot(tab, 'making-id.png')
    const {name, inputSchema} = await made()
    assert.deepEqual([name, JSON.parse(String(inputSchema)).required], ['getBook2', ['bookId']])
    assert.ok(person.clicks <= 10 && person.texts <= 3, JSON.stringify(person))
  })

  test('records and picks by keyboard alone', async () => {
    await tab.goto(`${library.address}/events`)
    await tab.getByRole('tab', {name: 'Make a tool'}).waitFor()
    await tabTo('[name=words]')
    await tab.keyboard.type('knots')
    await tab.keyboard.press('Enter')
    await tab.locator('[data-request]').waitFor()
    await tabTo('[data-request] [aria-expanded]')
    await tab.keyboard.press('Enter')
    await tab.getByRole('figure', {name: 'What an agent gets'}).getByText('Knots for beginners').waitFor()
    await tabTo('[data-path="data.items[].title"]')
    await tab.keyboard.press('Space')
    await tab.getByText('"title"').waitFor({state: 'detached'})
    await tabTo('.primary')
    // The frame begins at the main part, and leads to the heading, the form and the list.
    for (const key of ['Enter', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter'])
      await tab.keyboard.press(key)
    await tab
      .getByRole('figure', {name: 'What an agent gets'})
      .getByText('Knots for beginners, 2026-12-01')
      .waitFor()
  })

  /** Presses Tab until an element has the focus, in the panel too. */
  async function tabTo(selector: string): Promise<void> {
    const isFocused = `(() => {
      let focused = document.activeElement
      while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
      return focused?.matches(${JSON.stringify(selector)}) && focused.checkVisibility()
    })()`
    for (let presses = 0; presses < 60; presses++) {
      if (await tab.evaluate(isFocused)) return
      await tab.keyboard.press('Tab')
    }
    assert.fail(`Tab does not lead to ${selector}`)
  }

  test('records what pages send in other ways, and says what no tool can send', async () => {
    await tab.reload()
    await tab.getByText('Tick what agents may use.').waitFor()
    const json = `{method: 'POST', headers: {'content-type': 'application/json'}, body: '{"q":"rope"}'}`
    const item = (by: string) => tab.locator(`[data-request*="by=${by}"]`)
    for (const [by, code, name] of [
      ['request', `(await fetch(new Request('/api/v2/events?by=request', ${json}))).status`, 'sendEvents'],
      [
        'form',
        `(await fetch('/api/v2/events?by=form', {method: 'POST', body: new URLSearchParams({q: 'rope'})})).status`,
        'sendEvents',
      ],
      [
        'xhr',
        `new Promise((resolve) => {
          const request = new XMLHttpRequest()
          request.open('PUT', '/api/v2/events?by=xhr')
          request.responseType = 'json'
          request.onload = () => resolve(request.response.data.items.length && request.status)
          request.send('{"q":"rope"}')
        })`,
        'updateEvents',
      ],
    ] as const) {
      assert.equal(await tab.evaluate(`(async () => ${code})()`), 200, 'the page gets what it gets without')
      await item(by).getByRole('button', {name: 'Details'}).click()
      assert.equal(await item(by).getByLabel('Name for agents of q').inputValue(), 'query', by)
      assert.equal(await item(by).getByLabel('Name', {exact: true}).inputValue(), name)
      await item(by).getByRole('button', {name: 'Details'}).click()
    }
    const refused = await tab.evaluate(`(async () => {
      const files = new FormData()
      files.append('file', new Blob(['x']), 'x.txt')
      await fetch('/api/v2/files?by=files', {method: 'POST', body: files})
      await earlyFetch('/api/v2/events?by=kept')
      return fetch('https://other.example/').catch((error) => error.name)
    })()`)
    assert.equal(refused, 'TypeError')
    await tab.getByText('Other requests: 3').click()
    await item('kept').getByText('in a way that cannot be recorded').waitFor()
    await item('files').getByText('so it needs a script').waitFor()
    await tab.locator('[data-request="https://other.example/"]').getByText('The request failed').waitFor()
  })

  test('tries a tool as it will be called, and says which headers only the page sends', async () => {
    await tab.reload()
    await tab.getByText('Tick what agents may use.').waitFor()
    const asPage = (by: string, code: string) =>
      tab.evaluate(`(async () => {
        const name = 'X-App-Token', value = '${SECRETS.authorization}', address = '/api/v2/loans?by=${by}'
        ${code}
      })()`)
    const item = (by: string) => tab.locator(`[data-request*="by=${by}"]`)
    const error =
      'Agents would get this error: The website says: “Missing X-App-Token”. The request failed with status 401. The visitor may have to sign in first.'
    for (const [by, code] of Object.entries({
      object: 'await fetch(address, {headers: {[name]: value, accept: "application/json"}})',
      list: 'await fetch(address, {headers: [[name, value]]})',
      headers: 'await fetch(address, {headers: new Headers({[name]: value})})',
      iterator: 'await fetch(address, {headers: new Map([[name, value]]).entries()})',
      request: 'await fetch(new Request(address, {headers: {[name]: value}}))',
      xhr: `const request = new XMLHttpRequest()
       request.open('GET', address)
       request.setRequestHeader(name, value)
       await new Promise((resolve) => { request.onload = resolve; request.send() })`,
    })) {
      await asPage(by, code)
      const details = item(by).getByRole('button', {name: 'Details'})
      await details.click()
      await item(by).getByText(error).first().waitFor()
      if (by !== 'iterator')
        await item(by)
          .getByText(/^Your page adds x-app-token, and this tool does not send it\.$/i)
          .waitFor()
      await makes().waitFor()
      await details.click()
    }
    assert.deepEqual(await axeMistakes(tab, 'handrail-panel'), [])
    assert.equal(await tab.locator('[data-request*=loans]').count(), 1, 'what the panel sends is not listed')

    const posted: string[] = []
    tab.on('request', (request) => {
      if (request.url().includes('by=post')) posted.push(request.method())
    })
    await asPage(
      'post',
      'await fetch(address, {method: "POST", headers: {[name]: value}, body: "{\\"id\\":7}"})',
    )
    posted.length = 0
    await item('post').getByRole('button', {name: 'Details'}).click()
    await tab.getByText('so it is not sent by itself').waitFor()
    await tab.getByRole('figure', {name: 'What an agent gets'}).getByText('Moby-Dick').waitFor()
    assert.deepEqual(posted, [])
    await tab.getByRole('button', {name: 'Send it now'}).click()
    await item('post').getByText(error).first().waitFor()
    assert.deepEqual(posted, ['POST'])
  })

  /** Opens a page for the field with this button, and waits until its panel says so. */
  async function shows(button: Locator, path: string): Promise<Page> {
    await button.press('Enter')
    const dialog = ada.getByTestId('preview-dialog')
    await dialog.getByTestId('page-path').fill(path)
    await dialog.getByTestId('preview-open').waitFor()
    assert.deepEqual(await axeMistakes(ada, '[data-testid="preview-dialog"]'), [])
    const opening = ada.context().waitForEvent('page')
    await dialog.getByTestId('preview-open').press('Enter')
    const page = await opening
    await page.setViewportSize({width: 1100, height: 960})
    await page.getByText('For the tool').waitFor()
    return page
  }

  test('fills in the form of a new tool in Studio by what is chosen on the page', async () => {
    await goTo(ada, '/structure/sites;library;formTools')
    await ada.getByTestId('multi-action-intent-button').click()
    await ada.getByRole('menuitem', {name: 'Empty form tool'}).click()
    await showAllFields(ada)
    const page = await shows(ada.getByTestId('show-selector'), '/events')
    await screenshot(ada, 'showing-dialog.png')
    await page.getByRole('button', {name: 'Use this form'}).press('Enter')
    const closing = ada
      .context()
      .waitForEvent('page')
      // It loads Studio once more.
      .then((handing) => handing.waitForEvent('close', {timeout: 60_000}))
    await page.getByRole('link', {name: 'Fill in the tool'}).press('Enter')
    await closing
    await ada.getByTestId('preview-dialog').waitFor({state: 'detached'})
    assert.equal(await fieldOf(ada, 'selector').inputValue(), 'form[role=search]')
    assert.equal(await fieldOf(ada, 'pagePath').inputValue(), '/events')
    await screenshot(ada, 'showing-filled.png')
    await eventually(
      () =>
        ada.evaluate(`
          fetch('/v2025-02-19/data/query/production?perspective=raw&query=' + encodeURIComponent(
            '*[_type == "formTool" && selector == "form[role=search]"]{enabled, autosubmit, "site": site._ref}'
          )).then((response) => response.json()).then(({result}) => JSON.stringify(result))
        `),
      '[{"enabled":true,"autosubmit":false,"site":"library"}]',
    )
    await page.close()
  })

  test('opens the form of a tool that is open in no tab any more, and fills it in', async () => {
    const request = {method: 'GET', address: '/old', nothing: 'No events.', result: {kind: 'text'}}
    const place = {site: {_type: 'reference', _ref: 'library'}, pathPattern: '/events'}
    await studio.repository.commit([
      toolDocument({_id: 'find-x1', name: 'findEvents', ...place, action: 'request', request}),
    ])
    await goTo(ada, '/structure/sites;library;tools;find-x1')
    await showAllFields(ada)
    const page = await shows(ada.getByTestId('show-request'), '/events')
    await goTo(ada, '/overview/library/pages')
    await page.reload()
    await page.getByText('For the tool “findEvents”').waitFor()
    await page.getByLabel('Search events').fill('rope')
    await page.getByLabel('Search events').press('Enter')
    await page.locator('[data-request]').getByRole('button', {name: 'Details'}).press('Enter')
    await page.locator('[data-path="data.items[].title"]').press('Space')
    const fill = page.getByRole('link', {name: 'Fill in the tool'})
    await fill.waitFor()
    await screenshot(page, 'showing-panel.png')
    assert.deepEqual(await axeMistakes(page, 'handrail-panel'), [])
    const opening = ada.context().waitForEvent('page')
    await fill.press('Enter')
    const form = await opening
    form.setDefaultTimeout(60_000)
    await showAllFields(form)
    await form.getByRole('combobox', {name: 'What is sent as “q”'}).waitFor()
    assert.equal(await fieldOf(form, 'request.address').inputValue(), '/api/v2/events')
    assert.equal(await fieldOf(form, 'request.nothing').inputValue(), 'No events.')
    await Promise.all([form.close(), page.close()])
  })

  test('keeps what the page sends and gets to itself', async () => {
    const kept = await tab.evaluate('JSON.stringify([{...sessionStorage}, {...localStorage}])')
    const history = await studio.repository.git('log', '--all', '-p')
    const places = [...sent, JSON.stringify(studio.lines), String(kept), history]
    assert.match(history, /meta\[name=csrf-token\]/, 'the tool says where the token stands')
    assert.ok(
      sent.some((request) => request.includes('searchEvents')),
      'the draft is among what was sent',
    )
    for (const [name, secret] of Object.entries(SECRETS))
      for (const place of places) assert.ok(!place.includes(secret), `${name} in ${place.slice(0, 300)}`)
  })

  test('asks before it saves a tool that another website made', async () => {
    const fields = {
      name: 'sendAnything',
      description: 'Sends something.',
      pathPattern: '/**',
      action: 'request',
      request: {method: 'POST', address: '/x', result: {kind: 'text'}},
      inputSchema: '{"type": "object", "properties": {}}',
    }
    await ada.goto('about:blank')
    await ada.goto(
      handoverLink({url: studio.at('/'), preview: 'guessed'}, 'tool', {
        id: 'foreign',
        site: 'library',
        type: 'tool',
        fields,
      }),
    )
    const question = ada.getByTestId('made-tool')
    await question
      .getByText('The tool “sendAnything” comes from an unknown page, and not')
      .waitFor({timeout: 60_000})
    assert.ok(!ada.url().includes('#'), ada.url())
    await screenshot(ada, 'making-question.png')
    await question.getByRole('button', {name: 'Do not save'}).click()
    await question.waitFor({state: 'detached'})
    assert.ok(!sent.some((request) => request.includes('sendAnything')))
  })

  test('keeps the names of the tools that a page registers itself, and asks first when another website names them', async () => {
    const link = handoverLink({url: studio.at('/'), preview: 'guessed'}, 'pageTools', {
      site: 'library',
      names: ['renew-loan', 'searchEvents'],
    })
    await ada.goto('about:blank')
    await ada.goto(link)
    const question = ada.getByTestId('made-tool')
    await question
      .getByText('The list of tools “renew-loan”, “searchEvents” comes from')
      .waitFor({timeout: 60_000})
    await question.getByRole('button', {name: 'Add to the draft'}).click()
    await ada.locator(PUBLISH).waitFor()
    await ada.getByTestId('field-pageTools').getByText('renew-loan').waitFor()
  })

  test('caused no error in the console of Studio and no failed request', () => {
    assert.deepEqual(trouble, [])
  })
})
