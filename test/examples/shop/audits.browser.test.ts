import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import lighthouse from 'lighthouse'
import type {Browser} from 'playwright-core'
import {startShop} from '../../../examples/shop/shop.ts'
import {launchChromium, WEB_MCP} from '../../support/browser.ts'
import {type House, startHouse} from '../../support/house.ts'
import {listeningLog} from '../../support/log.ts'
import {freePort} from '../../support/network/ports.ts'
import {shopDocuments} from '../../support/shop.ts'

const CATEGORY = 'agentic-browsing'

/** A form tool of each page, and the form that is not one, because a tool with a script does the same. */
const PAGES = {
  '/': {tool: 'showSearchResults', other: undefined},
  '/products/ring-buoy': {tool: undefined, other: 'class="buy"'},
}

describe('audits of the demo shop', () => {
  let house: House
  let shop: Awaited<ReturnType<typeof startShop>>
  let browser: Browser
  let port: number

  before(async () => {
    house = await startHouse(shopDocuments())
    shop = await startShop({
      host: '127.0.0.1',
      port: 0,
      serviceOrigin: house.serviceAddress,
      publicId: 'demo-shop',
      logger: listeningLog().log,
    })
    port = await freePort()
    browser = await launchChromium({
      args: [WEB_MCP, `--remote-debugging-port=${port}`],
    })
  })

  after(async () => {
    await browser?.close()
    await shop?.close()
    await house?.close()
    // Lighthouse sets it.
    Reflect.deleteProperty(process.env, 'DEBUG')
  })

  /** Runs Lighthouse. It may fail to record the page load, and then asks for another run: see NO_NAVSTART in its sources. */
  async function audit(url: string) {
    const run = await lighthouse(url, {
      port,
      onlyCategories: [CATEGORY],
      logLevel: 'silent',
      disableFullPageScreenshot: true,
      // Its default waits are for slow pages. Without an emulated slower CPU, it does not warn about a busy one.
      throttling: {cpuSlowdownMultiplier: 1},
      pauseAfterFcpMs: 0,
      pauseAfterLoadMs: 0,
      networkQuietThresholdMs: 500,
      cpuQuietThresholdMs: 0,
    })
    const errors = Object.values(run?.lhr.audits ?? {}).map(({errorMessage = ''}) => errorMessage)
    const isUnrecorded = errors.some((message) => message.includes('Please run Lighthouse again'))
    return {run, isUnrecorded}
  }

  for (const [path, {tool, other}] of Object.entries(PAGES)) {
    test(`Lighthouse gives ${path} 1.00 for agents, without a warning`, async () => {
      let {run, isUnrecorded} = await audit(shop.address + path)
      if (isUnrecorded) ({run} = await audit(shop.address + path))
      assert.ok(run)
      const {audits, categories, runWarnings, runtimeError} = run.lhr
      const about = JSON.stringify(audits, null, 1)
      assert.equal(runtimeError, undefined)
      assert.deepEqual(runWarnings, [])
      assert.equal(categories[CATEGORY]?.score, 1, about)
      for (const {warnings, errorMessage} of Object.values(audits))
        assert.deepEqual([warnings ?? [], errorMessage], [[], undefined], about)
      // These two only inform, and give no points.
      const registered = JSON.stringify(audits['webmcp-registered-tools']?.details)
      for (const name of ['searchProducts', tool ?? 'addToCart'])
        assert.ok(registered.includes(`"${name}"`), registered)
      const {displayValue, details} = audits['webmcp-form-coverage'] ?? {}
      assert.equal(displayValue, other && '1 form missing annotations')
      if (other) assert.ok(JSON.stringify(details).includes(JSON.stringify(other).slice(1, -1)))
    })
  }

  test('the panel does not shift the page, even on a slow phone', async () => {
    const page = await browser.newPage({viewport: {width: 412, height: 823}})
    await page.addInitScript(`globalThis.shift = 0
      new PerformanceObserver((list) => { for (const {value} of list.getEntries()) shift += value })
        .observe({type: 'layout-shift', buffered: true})`)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', {rate: 6})
    await page.goto(`${shop.address}/products`)
    await page.getByRole('button', {name: 'Handrail: 6 tools'}).waitFor()
    const shift = Number(await page.evaluate('shift'))
    assert.ok(shift < 0.01, String(shift))
    await page.close()
  })
})
