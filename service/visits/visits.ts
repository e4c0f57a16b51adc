import {LRUCache} from 'lru-cache'
import type {CompiledSite} from '../site/compiledSite.ts'
import type {SiteConfig} from '../site/siteConfig.ts'

/** How exact times are, in milliseconds: a config that many pages ask for is recorded once in this time. */
const SLOT = 10_000

/** Maximum times to remember, of sites and tools together. */
const MAX_TIMES = 50_000

/** How long a time is remembered, and how far the clock of another replica may be ahead, in milliseconds. */
export const KEPT_FOR = 400 * 86_400_000
const MAX_AHEAD = 300_000

/** The key of the site itself among the times of its tools. No document has this ID. */
export const ANY_PAGE = ''

/** When pages last asked, in milliseconds since 1970: by the ID of a tool's document, and for {@link ANY_PAGE}. */
export type VisitTimes = ReadonlyMap<string, number>

/** The times that several replicas share. */
export type FleetVisits = {
  /** Adds times in the background. Newer ones win. Never throws. */
  add(siteId: string, times: VisitTimes): void
  /** Undefined: not available. Never throws. */
  of(siteId: string): Promise<VisitTimes | undefined>
}

/**
 * When the pages of each site last asked for their config. Only browsers with WebMCP ask. It knows which tools the
 * config had, and no addresses.
 */
export class Visits {
  readonly #clock: () => number
  readonly #fleet: FleetVisits | undefined
  /** By the ID of the site's document. */
  readonly #sites: LRUCache<string, {readonly times: Map<string, number>}>
  /** Called after each change. */
  onChange = (): void => {}

  /**
   * @param clock milliseconds since 1970
   * @param maxTimes see `MAX_TIMES`
   */
  constructor(clock: () => number, fleet?: FleetVisits, maxTimes = MAX_TIMES) {
    this.#clock = clock
    this.#fleet = fleet
    this.#sites = new LRUCache({maxSize: maxTimes, sizeCalculation: ({times}) => Math.max(1, times.size)})
  }

  /** Records that a page asked for a config. Nearly always, it compares two numbers. */
  see(site: CompiledSite, config: SiteConfig): void {
    const slot = Math.floor(this.#clock() / SLOT)
    if (slot === config.seenIn) return
    config.seenIn = slot
    const at = slot * SLOT
    const seen = [ANY_PAGE, ...config.documentIds()]
    const times = this.#sites.get(site.documentId)?.times ?? new Map<string, number>()
    for (const id of seen) times.set(id, at)
    // Tools that were deleted meanwhile.
    if (times.size > site.count + 1) {
      const current = new Set(site.texts.served().map(({documentId}) => documentId))
      for (const id of times.keys()) if (id !== ANY_PAGE && !current.has(id)) times.delete(id)
    }
    // Another object, because the cache takes the size of the same one as known.
    this.#sites.set(site.documentId, {times})
    this.#fleet?.add(site.documentId, new Map(seen.map((id) => [id, at])))
    this.onChange()
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#clock()
  }

  /** The times of a site, those of other replicas included. */
  async of(siteId: string): Promise<VisitTimes> {
    const now = this.#clock()
    const times = new Map<string, number>()
    for (const each of [this.#sites.peek(siteId)?.times, await this.#fleet?.of(siteId)])
      for (const [id, at] of each ?? [])
        if (at <= now + MAX_AHEAD && at > now - KEPT_FOR)
          times.set(id, Math.max(Math.min(at, now), times.get(id) ?? 0))
    return times
  }

  /** All times of this replica, the least recently seen site first. */
  all(): [siteId: string, times: VisitTimes][] {
    const all: [siteId: string, times: VisitTimes][] = []
    this.#sites.forEach(({times}, siteId) => {
      all.push([siteId, times])
    })
    return all.reverse()
  }

  /** Adds times that were stored. */
  restore(siteId: string, times: VisitTimes): void {
    this.#sites.set(siteId, {times: new Map(times)})
  }
}
