import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Locator, Page} from 'playwright-core'
import {axeMistakes} from '../../support/axe.ts'
import {screenshot} from '../../support/browser.ts'
import {eventually} from '../../support/eventually.ts'
import {goTo, openStudio, type RunningStudio} from '../support/studio.ts'

const NO_ADDRESS = {_id: 'books', _type: 'site', name: 'Books', publicId: 'books-shop', pollInterval: 60}

/** How an editor opens a page with drafts. Each test continues from the previous one. */
describe('the dialog that opens a page with drafts', () => {
  let studio: RunningStudio
  let page: Page
  let trouble: string[]

  before(async () => {
    ;({studio, page, trouble} = await openStudio(
      '/structure/sites;shop;tools;tool-list-reviews',
      (page) => page.getByTestId('field-name'),
      (page) => page.clock.install(),
    ))
  })

  after(() => studio?.close())

  const dialog = () => page.getByTestId('preview-dialog')
  const secrets = () =>
    page.evaluate(`
      fetch('/v2025-02-19/data/query/production?perspective=raw&query=' + encodeURIComponent(
        '*[_type == "sanity.previewUrlSecret" && userId != "handrail.visits"]{source, studioUrl, code, "renewed": defined(renewedAt)}'
      )).then((response) => response.json()).then(({result}) => result)
    `)
  const secretsAre = (count: number) =>
    eventually(secrets, (found) => Array.isArray(found) && found.length === count)

  /** A link works once, so the dialog makes another one. */
  const hasAnotherLink = (used: string) =>
    eventually(
      () => dialog().getByTestId('preview-open').getAttribute('href'),
      (href) => href !== null && href !== used,
    )

  async function choose(label: string): Promise<void> {
    await page.getByTestId('action-menu-button').click()
    await page.getByRole('menuitem', {name: label}).click()
    await dialog().waitFor()
  }

  async function offer(text: string): Promise<Locator> {
    const note = dialog().getByTestId('preview-offer').filter({hasText: text})
    await note.waitFor()
    return note
  }

  test('proposes a page that offers the tool, and says why another one does not', async () => {
    await choose('Open the page with drafts')
    await offer('This tool is offered on /products.')
    assert.equal(await dialog().getByTestId('page-path').inputValue(), '/products')
    await dialog().getByTestId('page-path').fill('/cart')
    await offer('This tool is not offered on /cart because its pattern is /products/**.')
    await screenshot(page, 'preview-dialog.png')
    await dialog().getByTestId('page-path').fill('/products/tide-clock?page=2#reviews')
    await offer('This tool is offered on /products/tide-clock.')
    assert.deepEqual(await axeMistakes(page, '[data-testid="preview-dialog"]'), [])
  })

  test('opens the page in a tab without access to Studio, and remembers the preview', async () => {
    const open = dialog().getByTestId('preview-open')
    const href = (await open.getAttribute('href')) ?? ''
    const [, publicId, code] = /#handrail-preview=([\w-]+)\.([\w-]+)$/.exec(href) ?? []
    assert.equal(publicId, 'demo-shop')
    assert.ok(href.startsWith('http://127.0.0.1:3001/products/tide-clock?page=2#'), href)
    assert.deepEqual(await secretsAre(1), [
      {source: 'handrail.demo-shop', studioUrl: studio.at('/'), code, renewed: false},
    ])
    assert.equal(await dialog().getByTestId('preview-end').count(), 0)
    await page
      .context()
      .route('http://127.0.0.1:3001/**', (route) =>
        route.fulfill({contentType: 'text/html', body: '<title>Shop</title>'}),
      )
    const opening = page.context().waitForEvent('page')
    await open.focus()
    await page.keyboard.press('Enter')
    const opened = await opening
    await opened.waitForLoadState()
    assert.deepEqual(await opened.evaluate('[location.href, opener, document.referrer]'), [href, null, ''])
    await opened.close()
    await dialog().getByTestId('preview-end').waitFor()
    await hasAnotherLink(href)
    await secretsAre(2)
  })

  test('says what to check if the page does not show the preview', async () => {
    await dialog().getByText('Waiting for the page to show the preview…').waitFor()
    await page.clock.fastForward(8_000)
    const silent = dialog().getByTestId('preview-opened')
    await silent.getByText('No page has shown this preview yet.').waitFor()
    await silent.getByText('It must say data-site="demo-shop"').waitFor()
    const policy = `script-src ${studio.serviceAddress}; connect-src ${studio.serviceAddress}`
    await silent.getByText(policy).waitFor()
    assert.deepEqual(await axeMistakes(page, '[data-testid="preview-dialog"]'), [])
    await screenshot(page, 'preview-silent.png')
  })

  test('copies a link for a colleague, and keeps it when the dialog is closed', async () => {
    const href = (await dialog().getByTestId('preview-open').getAttribute('href')) ?? ''
    await dialog().getByTestId('preview-copy').click()
    await page.getByText('Copied').waitFor()
    await hasAnotherLink(href)
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), href)
    await page.emulateMedia({colorScheme: 'dark'})
    // The colours change within a moment.
    await eventually(
      () => axeMistakes(page, '[data-testid="preview-dialog"]'),
      (mistakes) => Array.isArray(mistakes) && mistakes.length === 0,
    )
    await screenshot(page, 'preview-dialog-dark.png')
    await page.emulateMedia({colorScheme: 'light'})
    await page.keyboard.press('Escape')
    await dialog().waitFor({state: 'detached'})
    await secretsAre(2)
  })

  test('renews the preview while Studio is open', async () => {
    const renewing = page.waitForRequest((request) => /tag=[\w.]*handrail\.preview/.test(request.url()))
    await page.clock.fastForward('05:01')
    const request = await renewing
    assert.match(request.postData() ?? '', /renewedAt/)
    assert.equal((await request.response())?.status(), 200)
  })

  test('ends all previews of the site at once', async () => {
    await goTo(page, '/overview/shop/pages')
    await page.getByTestId('page-path').fill('/contact')
    await page.getByTestId('page-open').click()
    await offer('of 11 tools are offered on /contact.')
    await secretsAre(3)
    await dialog().getByText('2 previews of this site that you started, or links to them, work.').waitFor()
    const before = await dialog().getByTestId('preview-open').getAttribute('href')
    await dialog().getByTestId('preview-end').click()
    await dialog().getByTestId('preview-end').waitFor({state: 'detached'})
    await hasAnotherLink(before ?? '')
    await secretsAre(1)
    await page.keyboard.press('Escape')
    // No link has the secret of this dialog.
    await secretsAre(0)
  })

  test('asks for an address that is missing, and saves it in the draft of the site', async () => {
    await studio.repository.commit([NO_ADDRESS])
    await goTo(page, '/structure/sites;books;settings')
    await page.getByTestId('field-addresses').waitFor()
    await choose('Open the page with drafts')
    const asked = dialog().getByTestId('preview-new-address')
    await asked.fill('ftp://books.example')
    const use = dialog().getByRole('button', {name: 'Use this address'})
    assert.equal(await use.isDisabled(), true)
    assert.deepEqual(await axeMistakes(page, '[data-testid="preview-dialog"]'), [])
    await screenshot(page, 'preview-no-address.png')
    await asked.fill('books.example')
    await use.click()
    await offer('With drafts, 0 of 0 tools are offered on /.')
    const open = dialog().getByTestId('preview-open')
    await open.waitFor()
    assert.match(
      (await open.getAttribute('href')) ?? '',
      /^https:\/\/books\.example\/#handrail-preview=books-shop\./,
    )
  })

  test('caused no error in the console and no failed request', () => {
    assert.deepEqual(trouble, [])
  })
})
