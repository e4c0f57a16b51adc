import assert from 'node:assert/strict'
import {readFile, rm, utimes, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {startWebsite, type Website} from '../snippet/support/website.ts'
import {recordOf} from '../support/answers.ts'
import {axeMistakes} from '../support/axe.ts'
import {screenshot} from '../support/browser.ts'
import {eventually} from '../support/eventually.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {trialToken} from '../support/trialToken.ts'
import {
  goTo,
  openStudio,
  PUBLISH,
  type RunningStudio,
  saved,
  showAllFields,
  VIEWPORT,
  writeScript,
} from './support/studio.ts'

/** What Studio may load before an editor can work: files of scripts and styles, and their bytes, compressed. */
const FIRST_LOAD = {files: 50, bytes: 1_400_000}

/** The panes that tell an editor what is offered where, and why not, compared with the service. */
describe('the overview in Studio', () => {
  let studio: RunningStudio
  let page: Page
  let trouble: string[]
  let website: Website

  before(async () => {
    ;({studio, page, trouble} = await openStudio('/overview/shop/pages', (page) =>
      page.getByTestId('page-path'),
    ))
    await commit(findSizes)
    website = await startWebsite(
      () => `<script async src="${studio.serviceAddress}/snippet.js" data-site="demo-shop"></script>`,
    )
  })

  after(async () => {
    await website?.close()
    await studio?.close()
  })

  const go = (path: string) => goTo(page, path)
  const row = (name: string) => page.getByTestId(`page-tool-${name}`)
  const served = () => page.getByTestId('page-served')

  const mistakesIn = (testId: string) => axeMistakes(page, `[data-testid="${testId}"]`)

  /** Changes content as a developer does. */
  const commit = (...documents: Parameters<RunningStudio['repository']['commit']>[0]) =>
    studio.repository.commit(documents)

  test(`loads at most ${FIRST_LOAD.files} files and ${FIRST_LOAD.bytes} bytes before an editor can work`, async (t) => {
    const sizes: number[] = await page.evaluate(`performance.getEntriesByType('resource')
      .filter(({name}) => name.includes('/static/')).map(({encodedBodySize}) => encodedBodySize)`)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    t.diagnostic(`${sizes.length} files, ${bytes} bytes`)
    assert.ok(bytes > 100_000 && bytes <= FIRST_LOAD.bytes, `${bytes} bytes`)
    assert.ok(sizes.length <= FIRST_LOAD.files, `${sizes.length} files`)
  })

  test('shows for a page what is offered, and that the service returns the same', async () => {
    await page.getByTestId('page-path').fill('/cart')
    await served().getByText('The service returns exactly these').waitFor()
    await row('placeOrder').getByText('Offered').waitFor()
    await row('contactShop').getByText('Its pattern is /contact.').waitFor()
    await row('contactShop').getByText('Other pages').waitFor()
    await screenshot(page, 'page.png', 1_320)
  })

  test('takes an address from the address bar, and says when it is on no page of the site', async () => {
    await page.getByTestId('page-path').fill('http://127.0.0.1:3001/cart?from=mail#top')
    await served()
      .getByText(/exactly these \d+ tools for \/cart:.*placeOrder/)
      .waitFor()
    await row('placeOrder').getByText('Offered').waitFor()
    await page.getByTestId('page-path').fill('https://elsewhere.example/cart')
    await page.getByText('https://elsewhere.example is not one of the addresses of this site.').waitFor()
    assert.equal(await served().count(), 0)
    await page.getByTestId('page-path').fill('chrome://settings')
    await page.getByText('“chrome://settings” is not the address of a page').waitFor()
    assert.equal(await page.getByTestId('page-tool-placeOrder').count(), 0)
    await page.getByTestId('page-path').fill('/cart')
  })

  /** Waits until the service serves a text to pages with the tool. */
  async function untilServed(text: string): Promise<void> {
    await eventually(
      () =>
        fetch(`${studio.serviceAddress}/api/sites/demo-shop/config?path=/sizes`).then((got) => got.text()),
      (config) => config.includes(text),
    )
  }

  /** An agent calls the tool 60 times on a page, which is left: the service has counted this many calls then. */
  async function callsOnPage(counted: {ok: number; error: number}): Promise<void> {
    const visitor = await studio.newPage()
    // All calls take no time.
    await visitor.addInitScript('performance.now = () => 1_000')
    await visitor.addInitScript(
      'globalThis.heard = 0; document.addEventListener("handrail:call", () => { heard += 1 })',
    )
    await visitor.goto(`${website.address}/sizes`)
    const until = (expression: string) => eventually(() => visitor.evaluate(expression), Boolean)
    const tool = '.find(({name}) => name === "findSizes")'
    await until(`document.modelContext.getTools().then((tools) => tools${tool} !== undefined)`)
    await visitor.evaluate(`(async () => {
      const tool = (await document.modelContext.getTools())${tool}
      for (let call = 0; call < 60; call++) await document.modelContext.executeTool(tool, {})
    })()`)
    await until('heard === 60')
    await visitor.goto('about:blank')
    await eventually(
      () => fetch(`${studio.serviceAddress}/metrics`).then((metrics) => metrics.text()),
      (metrics) =>
        Object.entries(counted).every(([outcome, count]) =>
          metrics.includes(`handrail_calls_total{outcome="${outcome}"} ${count}\n`),
        ),
    )
    await visitor.context().close()
  }

  test('follows a commit: an invalid tool is named with its problem', async () => {
    await commit(toolDocument({_id: 'broken', name: 'findStores', executeJs: 'return {', site: shop}))
    await row('findStores').getByText('Its field “Script” breaks a rule').waitFor()
    await row('findStores').getByText('Invalid').waitFor()
  })

  test('says when the service returns something else', async () => {
    // The page's own request gets an older config.
    const empty = {siteId: 'x', tools: [], formTools: [], pollInterval: 300}
    const config = `${studio.serviceAddress}/api/sites/demo-shop/config?path=%2Fproducts&check=1`
    await page.route(config, (route) =>
      route.fulfill({json: empty, headers: {'access-control-allow-origin': '*'}}),
    )
    await page.getByTestId('page-path').fill('/products')
    await served().getByText('For /products, the service does not return').waitFor()
    await page.unroute(config)
    await served().getByText('The service returns exactly these').waitFor()
  })

  test('opens the form of a document, which leads back to the page of its site', async () => {
    await row('findStores').getByRole('link').click()
    await page.waitForURL(/\/structure\/sites;shop;tools;broken/)
    await page.getByTestId('field-name').waitFor()
    assert.equal(await page.getByTestId('field-name').getByRole('textbox').inputValue(), 'findStores')
    await page.getByTestId('to-site').click()
    await page.waitForURL(/\/overview\/shop$/)
  })

  test('a site has a page with its problems first, then its tools in one table, also on a phone', async () => {
    const sitePage = page.getByTestId('site-page')
    await sitePage.getByText('findStores is left out. Its field “Script” breaks a rule').waitFor()
    const cells = await page.getByTestId('site-tool-findStores').locator('td').allInnerTexts()
    assert.deepEqual([...cells.slice(0, 2), cells[3]], ['Left out: Script', '/**', ''])
    await page.getByTestId('site-tool-contactShop').getByText('/contact').waitFor()
    assert.deepEqual(await mistakesIn('site-page'), [])
    await page.setViewportSize({width: 420, height: 900})
    await page.emulateMedia({colorScheme: 'dark'})
    await screenshot(page, 'site-narrow.png')
    const overflow = 'document.querySelector(\'[data-testid="site-page"]\').parentElement'
    assert.equal(await page.evaluate(`${overflow}.scrollWidth - ${overflow}.clientWidth`), 0)
    assert.deepEqual(await mistakesIn('site-page'), [])
    await page.setViewportSize(VIEWPORT)
    await page.emulateMedia({colorScheme: 'light'})
    await screenshot(page, 'site.png')
  })

  test('the lists of documents lead to the page of a site, and say that a site is not there', async () => {
    await go('/structure/sites;shop')
    await page.getByRole('link', {name: 'Page of the site'}).click()
    await page.waitForURL(/\/overview\/shop$/)
    await go('/overview/no-such-site')
    await page.getByText('There is no such site').waitFor()
  })

  test('opens with the sites, their problems and the last changes', async () => {
    await commit(
      siteDocument({_id: 'books', name: 'Books', publicId: 'books-public'}),
      toolDocument({_id: 'b1', name: 'findBook', executeJs: 'return {', site: books}),
      toolDocument({_id: 'b2', name: 'buyBook', pathPattern: '/books/*', site: books}),
      toolDocument({_id: 'b3', name: 'readBook', enabled: false, site: books}),
    )
    await go('/')
    const card = page.getByTestId('start-site-Harbour Supply')
    await card.getByText('9 tools and 4 form tools switched on').waitFor()
    await page.getByTestId('start-site-Books').getByText('1 off').waitFor()
    const latest = page.getByTestId('start-changes').getByTestId('activity-change').first()
    const author = (await studio.repository.git('log', '-1', '--format=%an')).trim()
    // A commit's ID may contain “ada”.
    await latest.getByText(author, {exact: true}).waitFor()
    await latest.getByText('Added tool findBook').waitFor()
    await screenshot(page, 'start.png')
    await card.getByRole('link', {name: 'On a page'}).click()
    await page.waitForURL(/\/overview\/shop\/pages$/)
  })

  test('says on the first page that the token of the service ended, or soon ends', async () => {
    const snippet = `${studio.serviceAddress}/snippet.js`
    const problem = page.getByTestId('trial-problem')
    for (const [days, words] of [
      [-9, 'The token of this service ended on'],
      [9, 'The token of this service ends on'],
    ] as const) {
      const expiry = Math.round(Date.now() / 1_000) + days * 86_400
      const token = trialToken({origin: studio.serviceAddress, expiry})
      await page.route(snippet, (route) =>
        route.fulfill({
          body: `["origin-trial","${token}"]`,
          contentType: 'text/javascript',
          headers: {'access-control-allow-origin': '*'},
        }),
      )
      await go('/')
      await problem.getByText(words).waitFor()
      assert.deepEqual(await mistakesIn('trial-problem'), [])
      await page.unroute(snippet)
      await go('/overview/shop/pages')
      await page.getByTestId('page-path').waitFor()
    }
  })

  test('shows on the first page what is wrong with the lake', async () => {
    const untilLakeIs = (status: string) =>
      eventually(
        async () => (await fetch(studio.at('/readyz'))).text(),
        (text) => text.includes(`"status":"${status}"`),
      )
    const lock = join(studio.repository.dir, 'refs/heads/main.lock')
    await writeFile(lock, '')
    await utimes(lock, 1_000, 1_000)
    await untilLakeIs('degraded')
    await go('/')
    const problems = page.getByTestId('lake-problems')
    await problems.getByText('publishing waits for it').waitFor()
    await rm(lock)
    await untilLakeIs('ready')
    await go('/overview/shop')
    await page.getByTestId('site-page').waitFor()
    await go('/')
    await page.getByTestId('start-site-Books').waitFor()
    await problems.waitFor({state: 'detached'})
  })

  test('makes a tool from the first page, for the site that the editor chooses', async () => {
    await page.setViewportSize({width: 390, height: 900})
    await go('/')
    await page.getByTestId('start-make-tool').click()
    await page.getByRole('menuitem', {name: 'Books'}).click()
    const way = page.getByRole('menuitem', {name: 'Look something up'})
    await way.waitFor()
    await screenshot(page, 'make-tool-narrow.png')
    for (const menu of await page.getByRole('menu').all()) {
      const box = await menu.boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= 390, `the menu spans ${box?.x} and ${box?.width}`)
    }
    await way.click()
    await page.setViewportSize(VIEWPORT)
    const form = page.getByTestId('document-panel-scroller')
    await form.getByText('Books', {exact: true}).waitFor()
    await form.getByTestId('field-name').waitFor()
  })

  test('lists the activity of a site, and restores a deleted document as a draft', async () => {
    await commit(toolDocument({_id: 'gone', name: 'findGone', site: shop}))
    await studio.repository.remove([{_id: 'gone', _type: 'tool'}])
    // A lake that follows both commits at once reports no change.
    const head = (await studio.repository.git('rev-parse', 'HEAD')).trim()
    await eventually(async () => recordOf(await (await fetch(studio.at('/readyz'))).json()).commit, head)
    await go('/overview/shop/activity')
    const changes = page.getByTestId('activity-change')
    await changes.first().getByText('Removed tool findGone').waitFor()
    await changes.nth(1).getByText('Added tool findGone').waitFor()
    assert.equal(await page.getByText('findBook').count(), 0, 'the other site has an activity of its own')
    await screenshot(page, 'activity.png')
    assert.deepEqual(await mistakesIn('activity-pane'), [])
    await page.getByRole('button', {name: 'Restore findGone'}).click()
    await page.getByText('Restored as a draft').waitFor()
    assert.match((await page.getByRole('link', {name: 'Open it'}).getAttribute('href')) ?? '', /gone/)
    await page.getByRole('button', {name: 'Restore findGone'}).waitFor({state: 'detached'})
    await page.getByRole('link', {name: 'On a page'}).first().click()
    await row('findGone').getByText('Draft only').waitFor()
  })

  test('shows on site, tool and overview what the last run of tests said', async () => {
    const token = await studio.accounts.tokens.add('CI', [{role: 'reporter', sites: ['shop']}])
    const problem = 'GET /api/orders returned 404.'
    const tool = {id: 'tool-place-order', name: 'placeOrder', passed: 1, failed: 1, problem}
    const {status} = await fetch(new URL('/v1/tests/shop', studio.at('/')), {
      method: 'PUT',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      body: JSON.stringify({commit: 'abc1234def', tools: [tool]}),
    })
    assert.equal(status, 204)
    await go('/overview')
    await page
      .getByTestId('last-tests')
      .getByText(/, at abc1234$/)
      .waitFor()
    await go('/overview/shop')
    await page.getByTestId('last-tests').getByText('1 of 2 tests fails since today').waitFor()
    await page.getByText(problem).waitFor()
    await go('/structure/sites;shop;tools;tool-place-order')
    await page.getByTestId('field-name').waitFor()
    await page.getByText('1 of 2 tests fails since today', {exact: true}).waitFor()
  })

  test('shows the calls of a site as a chart, as tables and as a file, and says that they are off', async () => {
    await go('/overview/shop/calls')
    const pane = page.getByTestId('calls-pane')
    await pane.getByText('It is off for this site.').waitFor()
    // A form asks the service for nothing: for an hour before, the secret of Studio is from the future.
    await go('/structure/tool;sizes')
    await showAllFields(page)
    const site = JSON.parse(await studio.repository.git('show', 'HEAD:site/shop.json'))
    await commit({...site, reportCalls: true})
    await untilServed('"reportCalls":"on"')
    studio.moveServiceClock(-HOUR)
    await callsOnPage({ok: 60, error: 0})
    studio.moveServiceClock(HOUR)
    await writeScript(page, FAILS_EACH_THIRD)
    await saved(page)
    await page.locator(PUBLISH).click()
    await untilServed(SOLD_OUT)
    await callsOnPage({ok: 100, error: 20})
    await go('/overview/shop/calls')
    await pane
      .getByText('In the last 30 days: 120 calls, 20 failed, half took ≤ 50 ms, 95% ≤ 50 ms')
      .waitFor()
    await pane.getByRole('row', {name: 'findSizes 120 20'}).waitFor()
    await pane.getByText('addToCart').waitFor()
    const downloaded = page.waitForEvent('download')
    await pane.getByRole('button', {name: 'as CSV'}).click()
    assert.match(await readFile(await (await downloaded).path(), 'utf8'), /Z,"findSizes",error,20,/)
    await pane.locator('summary').focus()
    await page.keyboard.press('Enter')
    await pane.getByTestId('calls-chart').getByRole('row').nth(1).waitFor()
    assert.deepEqual(await mistakesIn('calls-pane'), [])
    await screenshot(page, 'calls.png')
    await page.emulateMedia({colorScheme: 'dark'})
    await page.locator('[data-testid="calls-regression"][data-scheme="dark"]').waitFor()
    assert.deepEqual(await mistakesIn('calls-pane'), [])
    await screenshot(page, 'calls-dark.png')
    await page.emulateMedia({colorScheme: 'light'})
  })

  test('names the publish since which a third of the calls fail, which two clicks revert', async () => {
    await page.getByTestId('calls-pane').getByRole('link', {name: 'findSizes'}).click()
    const view = page.getByTestId('tool-calls')
    await view.getByText(SOLD_OUT).waitFor()
    await view.getByTestId('calls-regression').waitFor()
    assert.deepEqual(await mistakesIn('tool-calls'), [])
    await screenshot(page, 'tool-calls.png')
    await go('/overview/shop')
    const commit = await studio.repository.git('log', '-1', '--format=%h', '--abbrev=7', '--', 'tool')
    // The day is “today” until midnight.
    const since = `^Since ${commit.trim()} \\(Ada Lovelace, \\w+\\), errors of findSizes went from 0% to 33%\\.`
    await page.getByTestId('calls-regression').getByText(new RegExp(since)).waitFor()
    await page.getByRole('button', {name: 'Revert findSizes'}).click()
    await page.locator(PUBLISH).click()
    await untilServed(WORKS)
  })

  test('caused no error in the console and no failed request', () => {
    assert.deepEqual(trouble, [])
  })
})

const shop = {_type: 'reference', _ref: 'shop'}
const books = {_type: 'reference', _ref: 'books'}
const HOUR = 3_600_000
const SOLD_OUT = 'All sizes are sold out.'
const WORKS = 'return [7, 8, 9]'
const FAILS_EACH_THIRD = `globalThis.calls = (globalThis.calls ?? 0) + 1; if (calls % 3 === 0) throw new Error('${SOLD_OUT}'); return [calls]`
const findSizes = toolDocument({
  _id: 'sizes',
  name: 'findSizes',
  pathPattern: '/sizes',
  executeJs: WORKS,
  site: shop,
})
