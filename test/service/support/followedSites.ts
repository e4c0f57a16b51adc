import {setImmediate} from 'node:timers/promises'
import {Sites} from '../../../service/cache/sites.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {PATIENCE} from '../../support/eventually.ts'
import {StandInUpstream} from './standInUpstream.ts'

/** Seconds of an hour. */
export const HOUR = 3_600

/** Seconds between two calls of `keepFresh`, and between two comments of the stream. */
const STEP = 5
const BEAT = 10

/** Milliseconds for which a request waits for an upstream that responds. */
const WAIT = PATIENCE * 1_000

/** Turns of the event loop within which one query in the background follows another. */
const TURNS_OF_A_QUERY = 5

/**
 * Sites of one tool each, cached and visited, live events and the clocks of service and upstream.
 * @param all the number of sites that upstream has.
 */
export async function followSites(
  count = 3,
  all = count,
  options: Partial<ConstructorParameters<typeof Sites>[0]> = {},
) {
  const upstream = new StandInUpstream()
  for (let number = 0; number < all; number++) {
    upstream.put(`site-${number}`, {_type: 'site', publicId: `public-${number}`})
    upstream.put(`tool-${number}`, {siteId: `site-${number}`, description: 'Old.'})
  }
  upstream.time += HOUR * 1_000
  const events = createServiceEvents()
  /** How far the clock of the service is ahead of upstream's, in seconds. */
  let ahead = 0
  const clock = () => upstream.time + ahead * 1_000
  const sites = new Sites({
    source: upstream.source(),
    breaker: {refusal: () => undefined},
    // On a busy machine, a site takes longer than a request waits for it.
    get maxWait() {
      return upstream.responding ? undefined : WAIT
    },
    snapshots: {has: () => false, read: () => undefined, keep: () => true, remove() {}},
    events,
    maxBytes: 2 ** 28,
    clock,
    pause: () => setImmediate(),
    ...options,
  })
  const {revalidation} = sites
  upstream.onEvent = () => revalidation.changed()
  revalidation.setConnected(true)
  await settle(upstream)
  upstream.time += 1_000
  for (let number = 0; number < count; number++) await sites.get(`public-${number}`)
  upstream.queries.length = 0

  const visit = () => {
    for (let number = 0; number < count; number++) sites.getIfFresh(`public-${number}`)
  }
  return {
    upstream,
    sites,
    clock,
    settle: () => settle(upstream),
    /** Moves the clock of the service. */
    jump: (seconds: number) => {
      ahead += seconds
    },
    /** Lets seconds pass in which all sites are visited. */
    async pass(seconds: number, eachStep = visit): Promise<void> {
      for (let passed = STEP; passed <= seconds; passed += STEP) {
        upstream.time += STEP * 1_000
        if (passed % BEAT === 0) revalidation.signOfLife()
        await revalidation.keepFresh()
        await settle(upstream)
        eachStep()
      }
    },
    /** Makes a change that no live event reports. */
    swallow(change: () => void): void {
      upstream.isSwallowing = true
      change()
      upstream.isSwallowing = false
    },
    /** The descriptions of a site's tools, as visitors get them. */
    async tools(publicId = 'public-0') {
      const {site} = await sites.get(publicId)
      return site?.texts
        .tools()
        .map((json) => JSON.parse(json).description)
        .join()
    },
  }
}

/** Waits until comparisons and fetches, which run in the background, send no further query. */
async function settle({queries}: StandInUpstream): Promise<void> {
  for (let asked = -1; asked < queries.length; ) {
    asked = queries.length
    for (let turn = 0; turn < TURNS_OF_A_QUERY; turn++) await setImmediate()
  }
}
