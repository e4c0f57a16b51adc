import type {CDPSession, Page} from 'playwright-core'

/** What a page holds on to. */
export type Footprint = {listeners: number; nodes: number; heapBytes: number}

/** Collects garbage, and says what is left. */
export async function footprintOf(page: Page): Promise<Footprint> {
  const session: CDPSession = await page.context().newCDPSession(page)
  try {
    // What the first collection frees in the one heap can free more in the other.
    for (let round = 0; round < 3; round++) await session.send('HeapProfiler.collectGarbage')
    const {jsEventListeners, nodes} = await session.send('Memory.getDOMCounters')
    const {usedSize} = await session.send('Runtime.getHeapUsage')
    return {listeners: jsEventListeners, nodes, heapBytes: usedSize}
  } finally {
    await session.detach()
  }
}
