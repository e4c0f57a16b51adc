import type {Page} from 'playwright-core'
import type {RunningStudio} from './studio.ts'

/** Requests for documents and their changes. */
const DATA = /\/data\/(?:actions|mutate|query|doc|history)\//

/**
 * How Studio loses the lake: connections are reset, a proxy responds without a lake, requests are never answered, the
 * lake does what it is asked but its response is lost, the browser is offline, the lake is started again.
 */
export const FAULTS = ['reset', 'unavailable', 'hanging', 'lost', 'offline', 'restart'] as const

export type Fault = (typeof FAULTS)[number]

/** Makes a page lose the lake. Returns a function that ends it. */
export async function startFault(
  page: Page,
  studio: Pick<RunningStudio, 'stopLake' | 'startLake'>,
  fault: Fault,
): Promise<() => Promise<void>> {
  if (fault === 'restart') {
    await studio.stopLake()
    return () => studio.startLake()
  }
  if (fault === 'offline') {
    await page.context().setOffline(true)
    return () => page.context().setOffline(false)
  }
  const ended = Promise.withResolvers<void>()
  await page.route(DATA, async (route) => {
    if (fault === 'unavailable') return route.fulfill({status: 503, body: 'no lake'})
    if (fault === 'hanging') await ended.promise
    if (fault === 'lost') await route.fetch()
    // Studio may have given the request up.
    await route.abort('connectionreset').catch(() => {})
  })
  return async () => {
    ended.resolve()
    await page.unroute(DATA)
  }
}
