import type {Counts} from '../counts/counts.ts'
import {ANY_PAGE, VISIT, type VisitTimes} from '../counts/store.ts'
import type {SiteConfig} from '../site/compiledSite.ts'

/** How exact times are, in milliseconds: a config that many pages ask for is recorded once in this time. */
const SLOT = 10_000

/** How far the clock of another replica may be ahead, in milliseconds. */
const MAX_AHEAD = 300_000

/**
 * When the pages of each site last asked for their config. Only browsers with WebMCP ask. It knows which tools the
 * config had, and no addresses.
 */
export class Visits {
  readonly #counts: Pick<Counts, 'add' | 'now' | 'visitsOf'>

  constructor(counts: Pick<Counts, 'add' | 'now' | 'visitsOf'>) {
    this.#counts = counts
  }

  /** Records that a page asked for a config. Nearly always, it compares two numbers. */
  see(publicId: string, config: SiteConfig): void {
    const slot = Math.floor(this.#counts.now() / SLOT)
    if (slot === config.seenIn) return
    config.seenIn = slot
    for (const tool of [ANY_PAGE, ...config.documentIds()])
      this.#counts.add(publicId, {...VISIT, tool, number: slot * SLOT})
  }

  /** The times of a site, those of other replicas included. @throws if the store fails */
  async of(publicId: string): Promise<VisitTimes> {
    const now = this.#counts.now()
    const times = await this.#counts.visitsOf(publicId)
    return new Map(
      [...times].filter(([, at]) => at <= now + MAX_AHEAD).map(([id, at]) => [id, Math.min(at, now)]),
    )
  }
}
