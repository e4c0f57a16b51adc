import type {Page} from 'playwright-core'
import {startShop} from '../../../../examples/shop/shop.ts'
import {agentOf} from '../../../snippet/support/agent.ts'
import {sharedBrowsers, troubleOf} from '../../../support/browser.ts'
import {eventually} from '../../../support/eventually.ts'
import {startHouse} from '../../../support/house.ts'
import {listeningLog} from '../../../support/log.ts'
import {shopDocuments} from '../../../support/shop.ts'

/** The tools of each page, by the demo content. */
export const EVERYWHERE = ['getProduct', 'searchProducts', 'viewCart']
export const TOOLS = {
  '/': [...EVERYWHERE, 'showSearchResults', 'subscribeToNewsletter'],
  '/about': [...EVERYWHERE, 'subscribeToNewsletter'],
  '/products': [...EVERYWHERE, 'addToCart', 'filterProducts', 'listReviews'],
  '/products/ring-buoy': [...EVERYWHERE, 'addToCart', 'listReviews'],
  '/cart': [...EVERYWHERE, 'addToCart', 'placeOrder'],
  '/contact': [...EVERYWHERE, 'contactShop'],
}

export type Demo = Awaited<ReturnType<typeof startDemo>>

/** The shop with its real content, in the shared browser, with the real service and lake. */
export async function startDemo() {
  const browser = await sharedBrowsers.withWebMcp()
  const house = await startHouse(shopDocuments())
  // Later, the service has a config in any case. A lake that is slow at first would be an error in the page's console.
  await eventually(async () => (await house.config('demo-shop')).status, 200)
  const {log: logger, lines} = listeningLog()
  const serviceOrigin = house.serviceAddress
  const shop = await startShop({host: '127.0.0.1', port: 0, serviceOrigin, publicId: 'demo-shop', logger})
  return {
    house,
    lines,
    address: shop.address,
    /** Opens a page as a new visitor. */
    async visit(
      path: string,
      where: {
        readonly browser?: typeof browser
        readonly address?: string
      } = {},
    ) {
      const {address = shop.address} = where
      const page = await (where.browser ?? browser).newPage({viewport: {width: 1360, height: 850}})
      const trouble = troubleOf(page)
      const agent = await agentOf(page).catch(() => undefined)
      await page.goto(address + path)
      return {page, trouble, agent}
    },
    async close() {
      await shop.close()
      await house.close()
    },
  }
}

export async function seesTools(page: Page, names: string[]): Promise<void> {
  await eventually(
    async () =>
      (await page.webmcp.tools())
        .map(({name}) => name)
        .sort()
        .join(),
    [...names].sort().join(),
  )
}

export const cartCount = (page: Page) => page.locator('[data-cart-count]').textContent()
export const listed = (page: Page) => page.locator('[data-tool] summary code').allTextContents()

/** Asserts that the page was never reloaded or left. */
export const mark = (page: Page) => page.evaluate('window.marked = true')
export const isMarked = (page: Page) => page.evaluate('window.marked === true')
