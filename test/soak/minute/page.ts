import type {Page} from 'playwright-core'
import {recordOf} from '../../support/answers.ts'

/** Milliseconds between two looks of a page at one of its configs. */
const LOOK_EVERY = 1_000

/** Of each config that a page looks at: when it last asked and got the old text, and whether it has got the new one. */
export type Sights = {lastOld: number[]; isNew: boolean[]}

/**
 * Lets a page ask for these configs again and again as any script does, so that the browser's cache answers what it may: for
 * the first at once, and for each of the others a pause later.
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
