import {setTimeout} from 'node:timers/promises'
import type {Browser} from 'playwright-core'
import {launchChromium} from '../../support/browser.ts'
import {type House, startHouse} from '../../support/house.ts'
import {startNginx} from '../../support/network/nginx.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {hold} from '../violation.ts'
import {beginLooking, sightsOf} from './page.ts'

/** How long a browser used an older config after the publish, in milliseconds. */
export type Delay = {way: string; longest: number; shortest: number}

/** Cached configs of a page, one per second of age: one for each second that a cache may keep one. */
const CONFIGS = 58
const PAUSE = 1_000

const NEW_TEXT = 'Changed by the publish.'

const documents = [siteDocument(), toolDocument()]

/**
 * Publishes once while real browsers hold configs of every age, directly and through nginx, with and without
 * live events.
 * @throws Violation when one of them uses the old config a minute after the publish.
 */
export async function publishUnderCaches(): Promise<Delay[]> {
  const browser = await launchChromium()
  try {
    return (
      await Promise.all([
        delaysOf(browser, 'with live events', async () => {}),
        delaysOf(browser, 'without live events', async ({network}) => {
          network.liveFault = {kind: 'refuse'}
          network.cut()
        }),
      ])
    ).flat()
  } finally {
    await browser.close()
  }
}

async function delaysOf(
  browser: Browser,
  name: string,
  prepare: (house: House) => Promise<void>,
): Promise<Delay[]> {
  const house = await startHouse(documents, {TRUSTED_PROXIES: 'loopback', RATE_LIMIT_MAX: '1000000'})
  const nginx = await startNginx({services: [Number(new URL(house.serviceAddress).port)], isPlain: true})
  try {
    await prepare(house)
    const ways = await Promise.all(
      Object.entries({directly: house.serviceAddress, 'through nginx': nginx.address}).map(
        async ([way, address]) => ({way: `${way}, ${name}`, page: await pageAt(browser, address)}),
      ),
    )
    await setTimeout(CONFIGS * PAUSE)
    await house.client.patch('search').set({description: NEW_TEXT}).commit()
    const published = Date.now()
    return await Promise.all(
      ways.map(async ({way, page}) => {
        for (;;) {
          const {lastOld, isNew} = await sightsOf(page)
          if (isNew.every(Boolean)) {
            const delays = lastOld.map((moment) => moment - published)
            return {way, longest: Math.max(...delays), shortest: Math.min(...delays)}
          }
          const stillOld = lastOld.filter((_, index) => !isNew[index]).map((moment) => moment - published)
          hold(Math.max(...stillOld) < 60_000, `${way}: a config was old after ${Math.max(...stillOld)} ms`)
          await setTimeout(PAUSE / 4)
        }
      }),
    )
  } finally {
    await nginx.close()
    await house.close()
  }
}

async function pageAt(browser: Browser, address: string) {
  const page = await browser.newPage()
  // Any page of this origin, because browsers partition caches by the site of the page.
  await page.goto(`${address}/openapi.json`)
  const urls = Array.from({length: CONFIGS}, (_, index) => `/api/sites/shop-public/config?path=/${index}`)
  await beginLooking(page, urls, NEW_TEXT, PAUSE)
  return page
}
