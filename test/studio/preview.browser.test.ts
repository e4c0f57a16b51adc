import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {BrowserContext, Page} from 'playwright-core'
import {startShop} from '../../examples/shop/shop.ts'
import {configOf} from '../support/answers.ts'
import {screenshot, sharedBrowsers} from '../support/browser.ts'
import {eventually} from '../support/eventually.ts'
import {listeningLog} from '../support/log.ts'
import {siteDocument} from '../support/shop.ts'
import {
  fieldOf,
  goTo,
  openStudio,
  PUBLISH,
  type RunningStudio,
  saved,
  showAllFields,
} from './support/studio.ts'

/** The life of a draft on the real page. Each test continues from the previous one. */
describe('an editor previews drafts on the real page', () => {
  let studio: RunningStudio
  let ada: Page
  let trouble: string[]
  let shop: Awaited<ReturnType<typeof startShop>>
  /** Without WebMCP. */
  let plain: BrowserContext
  /** The page of the shop in Ada's browser, and in one without WebMCP. */
  let tabs: Page[] = []
  let link = ''

  before(async () => {
    const browser = await sharedBrowsers.withoutWebMcp()
    ;({
      studio,
      page: ada,
      trouble,
    } = await openStudio('/structure/sites;shop;tools;tool-search-products', (page) =>
      page.getByTestId('field-name'),
    ))
    shop = await startShop({
      host: '127.0.0.1',
      port: 0,
      serviceOrigin: studio.serviceAddress,
      publicId: 'demo-shop',
      logger: listeningLog().log,
    })
    plain = await browser.newContext()
    await studio.repository.commit([
      siteDocument({name: 'Harbour Supply', publicId: 'demo-shop', addresses: [shop.address]}),
    ])
  })

  after(async () => {
    await plain?.close()
    await shop?.close()
    await studio?.close()
  })

  const dialog = () => ada.getByTestId('preview-dialog')
  const served = async (publicId: string, path: string) => {
    const url = `${studio.serviceAddress}/api/sites/${publicId}/config?path=${path}`
    return JSON.stringify((await configOf(fetch(url))).tools)
  }
  const item = (tab: Page, name: string) => tab.locator(`[data-tool=${name}]`)

  async function edit(path: string, name: string): Promise<void> {
    await goTo(ada, `/structure/${path}`)
    await showAllFields(ada)
    await eventually(() => fieldOf(ada, 'name').inputValue(), name)
  }

  /** Opens the page from Studio, and the link for a colleague in a browser without WebMCP. */
  async function openBoth(): Promise<Page[]> {
    await ada.getByTestId('action-menu-button').click()
    await ada.getByRole('menuitem', {name: 'Open the page with this draft'}).click()
    const opening = ada.context().waitForEvent('page')
    await dialog().getByTestId('preview-open').click()
    const own = await opening
    await dialog()
      .getByText(`The page at ${new URL(own.url()).origin} shows the preview.`)
      .waitFor()
    await dialog().getByTestId('preview-copy').click()
    link = String(await ada.evaluate('navigator.clipboard.readText()'))
    await ada.getByRole('button', {name: 'Close dialog'}).click()
    const colleague = await plain.newPage()
    await colleague.goto(link)
    await screenshot(own, 'preview-shop.png')
    return [own, colleague]
  }

  test('opens the shop with a draft, which visitors do not get', async () => {
    const before = await served('demo-shop', '/products')
    await edit('sites;shop;tools;tool-search-products', 'searchProducts')
    await fieldOf(ada, 'description').fill('Searches the catalogue of the ship chandler.')
    await saved(ada)
    tabs = await openBoth()
    for (const tab of tabs) {
      await item(tab, 'searchProducts').getByText('Changed draft').waitFor()
      assert.ok(!tab.url().includes('#'), tab.url())
    }
    const [own, colleague] = tabs
    assert.equal(await colleague?.getByText('This browser has no WebMCP').isVisible(), true)
    assert.equal(await own?.getByText('This browser has no WebMCP').count(), 0)
    const found = await own?.webmcp.tools()
    assert.ok(found?.some(({description}) => description === 'Searches the catalogue of the ship chandler.'))
    assert.equal(await served('demo-shop', '/products'), before)
    const visitor = await plain.newPage()
    await visitor.goto(`${shop.address}/products`)
    assert.equal(await visitor.getByText('ship chandler').count(), 0)
    await visitor.close()
  })

  test('sees a keystroke in the panel', async () => {
    const [tab] = tabs
    await fieldOf(ada, 'description').press('Control+End')
    await fieldOf(ada, 'description').press('1')
    await tab?.getByText('chandler.1').first().waitFor()
  })

  test('publishes, and visitors have it too', async () => {
    await ada.locator(PUBLISH).click()
    for (const tab of tabs) await item(tab, 'searchProducts').getByText('Published').waitFor()
    await eventually(
      () => served('demo-shop', '/products'),
      (tools) => tools.includes('ship chandler'),
    )
  })

  test('ends the previews of colleagues too, and the link is of no use any more', async () => {
    await ada.getByTestId('action-menu-button').click()
    await ada.getByRole('menuitem', {name: 'Open the page with drafts'}).click()
    await dialog().getByTestId('preview-end').click()
    await dialog().getByTestId('preview-end').waitFor({state: 'detached'})
    for (const tab of tabs) {
      await tab.getByText('Open the page again from Studio').waitFor()
      await tab.close()
    }
    const late = await plain.newPage()
    await late.goto(link)
    await late.getByText('Open the page again from Studio').waitFor()
    await late.close()
    await ada.getByRole('button', {name: 'Close dialog'}).click()
  })

  test('caused no error in the console of Studio and no failed request', () => {
    assert.deepEqual(trouble, [])
  })
})
