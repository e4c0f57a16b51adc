import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Locator, Page} from 'playwright-core'
import {parseMadeTool} from '../../making/madeTool.ts'
import {handedIn} from '../../making/studioLink.ts'
import type {Fields} from '../../schemas/record.ts'
import {requestTool, scriptOf} from '../actions/support.ts'
import {startRealWebsites, WEBSITES} from '../support/library/realWebsites.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {LINK, type PreviewStage, startPreviewStage} from './support/previewStage.ts'

/** Why no tool can send the request of a website, before it is made. */
const REASONS: Readonly<Record<string, string>> = {
  wordpress: 'Your page adds x-wp-nonce, and this tool does not send it.',
  spa: 'Your page adds authorization, and this tool does not send it.',
}

describe('a tool that is recorded works at the first call', () => {
  let stage: PreviewStage
  let websites: Awaited<ReturnType<typeof startRealWebsites>>
  before(async () => {
    stage = await startPreviewStage([siteDocument(), toolDocument()])
    websites = await startRealWebsites(() => stage.tag())
  })
  after(async () => {
    websites?.close()
    await stage?.close()
  })

  async function visit<Result>(path: string, use: (page: Page) => Promise<Result>): Promise<Result> {
    const context = await stage.browser.newContext()
    try {
      const page = await context.newPage()
      await page.goto(websites.address + path)
      return await use(page)
    } finally {
      await context.close()
    }
  }

  /** Sends the request of a page with its form. Returns the button that opens it. */
  async function sendForm(page: Page): Promise<Locator> {
    await page.setViewportSize({width: 1100, height: 960})
    await page.getByRole('tab', {name: 'Make a tool'}).click()
    await page.getByText('Tick what agents may use.').waitFor()
    await page.getByLabel('Words').fill('knots')
    await page.getByLabel('Words').press('Enter')
    const details = page.locator('[data-request]').getByRole('button', {name: 'Details'})
    await details.waitFor()
    return details
  }

  /** What the panel hands to Studio. */
  async function record(page: Page, reason: string | undefined): Promise<string> {
    await (await sendForm(page)).click()
    if (reason) await page.getByText(reason).waitFor()
    const asked = page.getByRole('button', {name: 'Send it now'})
    const figure = page.getByRole('figure', {name: 'What an agent gets'})
    const result = reason ? page.getByText('Agents would get this error: ') : figure.getByText('About knots')
    await asked.or(result).first().waitFor()
    if (await asked.isVisible()) await asked.click()
    await result.waitFor()
    const kept = await page.evaluate('JSON.stringify([{...sessionStorage}, {...localStorage}])')
    const link = await page.getByRole('link', {name: 'Make this tool'}).getAttribute('href')
    return `${link}\n${kept}`
  }

  /** Calls the script of a tool on another visit, as an agent does. */
  const call = (path: string, tool: Fields, args: object) =>
    visit(path, (page) =>
      page.evaluate(
        `(async (args, {signal}) => {${scriptOf(tool)}})(${JSON.stringify(args)}, new AbortController())`,
      ),
    )

  for (const [name, {refusal}] of Object.entries(WEBSITES)) {
    const reason = REASONS[name]
    test(`${name}${reason ? ', or the panel says why it cannot' : ''}`, async () => {
      const made = await visit(`/${name}${LINK}`, (page) => record(page, reason))
      const [link = ''] = made.split('\n')
      const handed = handedIn(new URL(link).hash)
      const parsed = parseMadeTool(handed?.value)
      assert.ok(parsed.ok, JSON.stringify(parsed))
      const {document} = parsed.value
      for (const token of websites.sessions.values())
        for (const place of [made, JSON.stringify(handed), JSON.stringify(document)])
          for (const text of [token, encodeURIComponent(token)]) assert.ok(!place.includes(text), place)
      const {properties} = JSON.parse(String(document.inputSchema))
      const [parameter = '', ...others] = Object.keys(properties).filter((one) => one !== 'branch')
      assert.deepEqual(others, [])
      assert.deepEqual(properties.branch?.enum, name === 'catalogue' ? ['c', 'h'] : undefined)
      const branch = properties.branch && {branch: 'h'}
      const called = call(`/${name}`, document, {...branch, [parameter]: 'sails & "ropes"'})
      if (reason) return assert.rejects(called, {message: new RegExp(`status ${refusal}`)})
      assert.deepEqual(await called, {
        id: '653247040368672768',
        title: `About sails & "ropes"${branch ? ' in h' : ''}`,
      })
      // The website is one that refuses a request without the token.
      if (refusal === undefined) return
      const without = await visit(`/${name}`, (page) =>
        page.evaluate(`fetch('/${name}/api', {method: 'POST', body: '{}'}).then(({status}) => status)`),
      )
      assert.equal(without, refusal)
    })
  }

  /** What a script loads into the page, and what is proposed of it. */
  const LOADED = {
    'a search of all pages': ['/results?', '', 'Search', 'by words, and returns what', 1],
    'a search with POST, which is not sent again': ['/search', 'POST', 'Go', 'so it was not sent again', 1],
    'what the page has, if it was no search': ['/notes', 'POST', 'Save', 'Returns the entries of', 0],
  } as const
  for (const [what, [address, method, button, said, searches]] of Object.entries(LOADED))
    test(`what a script loads as a part of a page becomes ${what}`, () =>
      visit(`/graphqlGet${LINK}`, async (page) => {
        const hit = (title: string) =>
          `<li class="hit"><h3>${title}</h3><p class="shelf">Shelf of ${title}</p></li>`
        await page.route(/(?:results|search|notes)(?:\?.*)?$/, (route) => {
          const sent = route.request().postData() ?? new URL(route.request().url()).search
          const words = new URLSearchParams(sent).get('words') ?? 'all'
          return route.fulfill({contentType: 'text/html', body: hit(`${words} 1`) + hit(`${words} 2`)})
        })
        const send = method ? `'${address}', {method: '${method}', body}` : `'${address}' + body`
        await page.evaluate(`document.body.append(globalThis.main = document.createElement('ul'))
          form.querySelector('button').textContent = '${button}'
          form.onsubmit = async (event) => {
            event.preventDefault()
            const body = new URLSearchParams(new FormData(form))
            main.innerHTML = await (await fetch(${send})).text()
          }`)
        await page.getByRole('tab', {name: 'Make a tool'}).click()
        await page.getByText('Tick what agents may use.').waitFor()
        await page.getByLabel('Words').fill('knots')
        await page.getByLabel('Words').press('Enter')
        await page.getByText(said).waitFor()
        assert.equal(
          await page.getByText('by words, and returns what is found: title, shelf.').count(),
          searches,
        )
        // What the panel loads is no request of the page.
        assert.equal(await page.locator('[data-request]').count(), method ? 1 : 0)
      }))

  test('nothing is made that fails when it is called once', () =>
    visit(`/graphqlGet${LINK}`, async (page) => {
      await page.evaluate(`document.title = 'Words', document.body.innerHTML = '<form id="one"><input type="search" name="word" aria-label="Words"></form>' +
        '<form id="two"><input name="mail" aria-label="Mail"><button type="button">Join</button></form>' +
        '<form id="three"><input name="user"><input type="password" name="word"><button>Sign in</button></form>' +
        '<form id="four"><input type="search" name="word" aria-label="Towns"></form>'
        two.action = '/joined'
        four.onsubmit = (event) => event.preventDefault()`)
      await page.getByRole('tab', {name: 'Make a tool'}).click()
      const form = (selector: string) => page.locator(`[data-form="${selector}"]`)
      await form('#two').getByText('because only a script sends it').waitFor()
      assert.equal(await form('#two').getByRole('checkbox').count(), 0)
      assert.equal(await form('#three').count(), 0)
      await form('#one').getByRole('checkbox').click()
      await form('#one').getByText('It opens the same page for any word').waitFor()
      assert.equal(await page.getByRole('link', {name: /^Make/}).count(), 0)
      await form('#four').getByRole('checkbox').click()
      await page.getByRole('link', {name: 'Make 1 draft'}).waitFor()
    }))

  test('says that a website is busy, and calls it again', () =>
    visit(`/graphqlGet${LINK}`, async (page) => {
      const use = await sendForm(page)
      await page.route(
        (url) => url.pathname.endsWith('/api'),
        (route) => route.fulfill({status: 429}),
      )
      await use.click()
      await page.getByText('The request failed with status 429. Try again later.').waitFor()
      await page.unrouteAll()
      await page.getByRole('button', {name: 'Send it again'}).click()
      await page.getByRole('figure', {name: 'What an agent gets'}).getByText('About knots').waitFor()
    }))

  test('what stands on the page reaches no other origin, and what it lacks is named', async () => {
    const headers = [{name: 'X-CSRF-Token', selector: 'meta[name=csrf-token]', attribute: 'content'}]
    const [tool, reading] = [
      {kind: 'message'},
      {kind: 'parts', parts: [{name: 'heading', kind: 'text', selector: 'h1'}]},
    ].map((result) => requestTool({method: 'POST', address: '/leave', headers, result}))
    assert.ok(tool && reading)
    for (const one of [tool, reading])
      await assert.rejects(call('/rails', one, {}), {message: /could not be reached/})
    assert.deepEqual(websites.strangers, [])
    await assert.rejects(call('/spa', tool, {}), {
      message: /The page has no “meta\[name=csrf-token\]”\. Try another/,
    })
  })
})
