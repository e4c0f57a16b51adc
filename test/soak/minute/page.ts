import type {Page} from 'playwright-core'
import {recordOf} from '../../support/answers.ts'

/** Interval at which a page requests each of its configs, in milliseconds. */
const LOOK_EVERY = 1_000

/** For each config of a page: when it last requested and got the old text, and whether it got the new one. */
export type Sights = {lastOld: number[]; isNew: boolean[]}

/**
 * Makes a page request these configs repeatedly, like any script, so that the browser's cache may respond:
 * the first at once, each of the others a pause later.
 */
export async function beginLooking(
  page: Page,
  urls: string[],
  newText: string,
  pause: number,
): Promise<void> {
  await page.evaluate(
    ([addresses, text, wait, every]) => {
      const sights = {lastOld: addresses.map(() => 0), isNew: addresses.map(() => false)}
      Object.assign(globalThis, {sights})
      for (const [index, address] of addresses.entries()) {
        setTimeout(() => {
          setInterval(async () => {
            const asked = Date.now()
            const response = await fetch(address)
            const body = await response.text()
            if (body.includes(text)) sights.isNew[index] = true
            else sights.lastOld[index] = Math.max(asked, sights.lastOld[index] ?? 0)
          }, every)
        }, index * wait)
      }
    },
    [urls, newText, pause, LOOK_EVERY] as const,
  )
}

export async function sightsOf(page: Page): Promise<Sights> {
  const {lastOld, isNew} = recordOf(await page.evaluate('globalThis.sights'))
  return {
    lastOld: Array.isArray(lastOld) ? lastOld.map(Number) : [],
    isNew: Array.isArray(isNew) ? isNew.map(Boolean) : [],
  }
}
