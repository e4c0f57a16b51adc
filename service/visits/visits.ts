import type {Counts} from '../counts/counts.ts'
import {ANY_PAGE, VISIT} from '../counts/store.ts'
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

  /**
   * The times of a site in milliseconds since 1970, those of other replicas included: by the ID of a tool's document, or `ANY_PAGE`.
   * @throws if the store fails
   */
  async of(publicId: string): Promise<ReadonlyMap<string, number>> {
    const now = this.#counts.now()
    const times = (await this.#counts.visitsOf(publicId)).filter(({number}) => number <= now + MAX_AHEAD)
    return new Map(times.map(({tool, number}) => [tool, Math.min(number, now)]))
  }
}
