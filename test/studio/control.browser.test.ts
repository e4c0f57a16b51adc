import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {configOf} from '../support/answers.ts'
import {axeMistakes} from '../support/axe.ts'
import {screenshot} from '../support/browser.ts'
import {eventually} from '../support/eventually.ts'
import {toolDocument} from '../support/shop.ts'
import {keyboardUser} from './support/keyboard.ts'
import {fieldOf, goTo, mutate, openStudio, PUBLISH, type RunningStudio, saved} from './support/studio.ts'

const TIDE_CAFE = {_id: 'tide', _type: 'site', name: 'Tide Café', publicId: 'tide-cafe', pollInterval: 60}

const REVIEWED = {...TIDE_CAFE, _id: 'reviewed', name: 'Reviewed', publicId: 'reviewed', review: 'all'}
const WATCHED = toolDocument({
  _id: 'watched',
  name: 'getWatched',
  site: {_type: 'reference', _ref: 'reviewed'},
})

/** How an editor controls what is on the pages. Each test continues from the previous one. */
describe('control over sites and tools in Studio', () => {
  let studio: RunningStudio
  let page: Page
  let trouble: string[]

  before(async () => {
    ;({studio, page, trouble} = await openStudio('/structure', (page) => page.getByText('All tools')))
    await studio.repository.commit([TIDE_CAFE, REVIEWED, WATCHED])
  })

  after(() => studio?.close())

  const namesOn = async (publicId: string) =>
    (await configOf(fetch(`${studio.serviceAddress}/api/sites/${publicId}/config?path=/`))).names
  const field = (name: string) => fieldOf(page, name)
  const dialog = () => page.getByRole('dialog')
  const badge = (text: string) => page.getByTestId('pane-footer').getByText(text, {exact: true})

  /** Goes to an address in Studio like its own links, without loading Studio again. */
  async function go(path: string): Promise<void> {
    const address = `/structure/${path}`
    await goTo(page, address)
    await page.waitForURL(studio.at(address))
  }

  /** Opens a document and waits for its form. */
  async function open(path: string, name: string): Promise<void> {
    await go(path)
    await eventually(() => field('name').inputValue(), name)
  }

  /** Waits until the form shows a text, such as the name of a referenced site. */
  async function formShows(text: string): Promise<void> {
    await page.getByTestId('document-panel-scroller').getByText(text, {exact: true}).waitFor()
  }

  /** Chooses an action of the document. */
  async function choose(label: string): Promise<void> {
    await page.getByTestId('action-menu-button').click()
    await page.getByRole('menuitem', {name: label}).click()
  }

  test('nothing leads to Sanity’s own services, and the help opens by keyboard', async () => {
    assert.equal(await page.locator('#workspace-menu').isVisible(), false)
    assert.equal(await page.getByTestId('button-resources-menu').isVisible(), false)
    assert.equal(await page.locator('a[href*="sanity.io"]:visible').count(), 0)
    await page.getByRole('button', {name: 'Help'}).press('Enter')
    await dialog().getByTestId('guides').waitFor()
    await screenshot(page, 'help.png')
    await page.keyboard.press('Escape')
    await dialog().waitFor({state: 'detached'})
  })

  test('the list of all tools shows the site of each, and has the recipes', async () => {
    await page.getByText('All tools').click()
    await page.getByText('/cart · Harbour Supply').waitFor()
    await page.getByTestId('multi-action-intent-button').click()
    await page.getByRole('menuitem', {name: 'Look something up'}).waitFor()
    await page.keyboard.press('Escape')
  })

  test('all tools of a site are switched off with one confirmation and one commit, and on again', async () => {
    await open('sites;shop;settings', 'Harbour Supply')
    await page.getByRole('button', {name: 'More settings'}).click()
    await field('pollInterval').fill('120')
    await saved(page)
    await choose('Switch off all tools')
    await page.getByText('Pages that are already open check for changes every 5 minutes.').waitFor()
    await screenshot(page, 'switch-off.png')
    await page.getByTestId('confirm').click()
    await eventually(async () => (await namesOn('demo-shop')).length, 0)
    await badge('All tools off').waitFor()
    assert.equal(
      (await studio.repository.git('log', '-1', '--format=%s')).trim(),
      'Publish site Harbour Supply',
    )
    assert.match(await studio.repository.git('show', 'HEAD:site/shop.json'), /"pollInterval": 300/)
    assert.equal(await field('pollInterval').inputValue(), '120', 'the rest of the draft stays')

    await open('sites;shop;tools;tool-view-cart', 'viewCart')
    await badge('Site off').waitFor()
    await page.getByText('Site off · /cart · Harbour Supply').waitFor()
    await screenshot(page, 'site-off.png')

    await open('sites;shop;settings', 'Harbour Supply')
    await choose('Switch on all tools')
    await eventually(
      () => namesOn('demo-shop'),
      ({length}) => length > 0,
    )
    await badge('All tools off').waitFor({state: 'detached'})
  })

  test('from the overview, three clicks switch off a site that asks for reviews; switching on asks for one', async () => {
    await goTo(page, '/overview')
    await page.getByTestId('start-site-Reviewed').getByRole('link', {name: 'Reviewed', exact: true}).click()
    await page.getByTestId('site-switch').click()
    await dialog().getByText('Pages of this site will have no tools.').waitFor()
    assert.deepEqual(await axeMistakes(page, '#handrail-confirm'), [])
    await page.getByTestId('confirm').click()
    await page.getByText('All tools are switched off').first().waitFor()
    await eventually(async () => (await namesOn('reviewed')).length, 0)
    await page.getByTestId('site-page').getByText('Switched off', {exact: true}).waitFor()
    await page.getByRole('button', {name: 'Switch on all tools'}).click()
    await dialog().getByTestId('review-submit').click()
    await page.getByTestId('site-tab-reviews').getByText('Reviews (1)').waitFor()
    await goTo(page, '/overview')
    await page.getByTestId('start-site-Reviewed').getByText('1 review waits').waitFor()
    await page.getByTestId('start-reviews').getByText('1 review waits').waitFor()
  })

  test('a tool is copied to another site as a draft, which opens there', async () => {
    await open('sites;shop;tools;tool-search-products', 'searchProducts')
    await choose('Copy to another site')
    await dialog().getByRole('listitem').first().waitFor()
    assert.deepEqual(await dialog().getByRole('listitem').allInnerTexts(), ['Reviewed', 'Tide Café'])
    await dialog().getByRole('button', {name: 'Tide Café'}).click()
    await page.waitForURL(/\/structure\/sites;tide;tools;[^;/]+$/)
    await formShows('Tide Café')
    assert.equal(await field('name').inputValue(), 'searchProducts')
    await badge('Not on pages').waitFor()
    await page.locator(PUBLISH).click()
    await page.getByText('was published. New page loads get the change within a minute').waitFor()
    await screenshot(page, 'published.png')
    await eventually(
      () => namesOn('tide-cafe'),
      (names) => names.includes('searchProducts'),
    )
    await badge('Offered').waitFor()
    assert.ok((await namesOn('demo-shop')).includes('searchProducts'))
  })

  test('a tool is moved to another site with its draft, and a name that is taken there is announced', async () => {
    await choose('Move to another site')
    await dialog().getByText('It already has a tool named “searchProducts”').waitFor()
    await screenshot(page, 'move.png')
    await dialog().getByRole('button', {name: 'Harbour Supply'}).click()
    await page.waitForURL(/\/structure\/sites;shop;tools;[^;/]+$/)
    await page.getByTestId('problem-error').filter({hasText: 'Another tool of this site'}).waitFor()
    await field('name').fill('searchMenu')
    await field('name').press('Tab')
    await page.getByTestId('problem-error').waitFor({state: 'detached'})
    await saved(page)
    await page.locator(PUBLISH).click()
    await eventually(
      () => namesOn('demo-shop'),
      (names) => names.includes('searchMenu'),
    )
    assert.deepEqual(await namesOn('tide-cafe'), [])
  })

  test('a pasted document keeps the site that it is pasted into', async () => {
    await open('sites;shop;tools;tool-get-product', 'getProduct')
    await page.getByTestId('pane-context-menu-button').last().click()
    await page.getByRole('menuitem', {name: 'Copy document'}).click()
    await eventually(
      () => page.evaluate('navigator.clipboard.readText()'),
      (text) => String(text).includes('getProduct'),
    )
    await go('sites;tide;tools')
    await page.getByTestId('multi-action-intent-button').click()
    await page.getByRole('menuitem', {name: 'Empty tool'}).click()
    await formShows('Tide Café')
    await page.getByTestId('pane-context-menu-button').last().click()
    await page.getByRole('menuitem', {name: 'Paste document'}).click()
    // Studio shows both for a few seconds only.
    await Promise.all([page.getByText('These fields keep their values: Site').waitFor(), saved(page)])
    assert.equal(await field('name').inputValue(), 'getProduct')
    await formShows('Tide Café')
    assert.match(page.url(), /sites;tide;tools;/)
  })

  test('a tool for a site that is not published is kept as a draft, and says why it cannot be published', async () => {
    await mutate(page, {create: {_id: 'drafts.books', _type: 'site', name: 'Books', publicId: 'books'}})
    await go('sites;books;tools')
    await page.getByTestId('multi-action-intent-button').click()
    await page.getByRole('menuitem', {name: 'Read from the page'}).click()
    await formShows('Books')
    await field('description').fill('Returns the text of the page that the visitor sees now.')
    await page.getByText('/** · Books').waitFor()
    await page.getByTestId('problem-error').filter({hasText: 'This site is not published yet'}).waitFor()
    await screenshot(page, 'unpublished-site.png')
  })

  test('a site that has tools can be neither deleted nor unpublished, and Studio says what to do first', async () => {
    await open('sites;shop;settings', 'Harbour Supply')
    await choose('Delete')
    await dialog().getByText('first delete the 12 tools').waitFor()
    await keyboardUser(page).reachAll('[role=dialog]')
    await screenshot(page, 'site-in-use.png')
    assert.equal(await page.getByText('anyway').count(), 0)
    await page.keyboard.press('Escape')
    await page.getByTestId('document-header-Published-chip').click()
    await page.getByTestId('action-unpublish').click()
    await dialog().getByText('To unpublish this site').waitFor()
    await page.keyboard.press('Escape')
  })

  test('a site is copied with its tools, published if the person may, and Sanity’s “Duplicate” is not offered', async () => {
    await goTo(page, '/overview/shop')
    await page.getByTestId('copy-site').click()
    await dialog().getByLabel('Name').waitFor()
    assert.deepEqual(await axeMistakes(page, '#handrail-form'), [])
    await dialog().getByLabel('Name').fill('Test shop')
    await dialog().getByLabel('Address').fill('https://test.example')
    await dialog().getByText('Publish in the copy what is published here.').click()
    await page.getByTestId('form-send').click()
    await page.getByTestId('site-page').getByRole('heading', {name: 'Test shop'}).waitFor()
    await page.getByText('8 tools and 4 form tools on pages').waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const copy = JSON.parse(await studio.repository.git('show', `HEAD:site/${id}.json`))
    assert.deepEqual([copy.name, copy.addresses], ['Test shop', ['https://test.example']])
    await eventually(
      () => namesOn(copy.publicId),
      (names) => names.includes('searchProducts'),
    )
    await page.getByRole('link', {name: 'Settings'}).click()
    await page.getByTestId('action-menu-button').click()
    await page.getByRole('menuitem', {name: 'Copy this site'}).waitFor()
    assert.equal(await page.getByRole('menuitem', {name: 'Duplicate'}).count(), 0)
    await page.keyboard.press('Escape')
  })

  test('a site without tools can be deleted', async () => {
    await studio.repository.commit([{...TIDE_CAFE, _id: 'bare', name: 'Bare', publicId: 'bare'}])
    await open('sites;bare;settings', 'Bare')
    await choose('Delete')
    await dialog()
      .getByRole('button', {name: /^Delete/})
      .click()
    await eventually(
      () => studio.repository.git('log', '-1', '--format=%s'),
      (subject) => subject.trim() === 'Delete site Bare',
    )
  })

  test('caused no error in the console and no failed request', () => {
    assert.deepEqual(trouble, [])
  })
})
