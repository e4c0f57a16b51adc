import type {CDPSession, Page} from 'playwright-core'

/** The memory that a page retains. */
export type Footprint = {listeners: number; nodes: number; heapBytes: number}

/** Collects garbage and returns what is left. */
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
