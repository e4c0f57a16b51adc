import {type CountsStore, HOUR} from './store.ts'

/** How long a site must be gone until its calls and visits are removed, in milliseconds: it may be unpublished by mistake. */
const REMOVE_AFTER = 24 * HOUR

/** Sites of one upstream query. */
const SITES_AT_ONCE = 100

type DeletedSitesOptions = {
  readonly store: Pick<CountsStore, 'quietSites' | 'goneSites' | 'setGone' | 'remove'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Those of public IDs that no published site has. */
  readonly findGone: (publicIds: readonly string[]) => Promise<ReadonlySet<string>>
  /** Aborts when the store is closed. */
  readonly closing: AbortSignal
}

/** Removes the calls and visits of sites that were deleted or unpublished, also while the service did not run. */
export class DeletedSites {
  readonly #options: DeletedSitesOptions
  #isChecking = false

  constructor(options: DeletedSitesOptions) {
    this.#options = options
  }

  /** To be called once an hour. Never rejects: what fails is checked an hour later. */
  async check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      await this.#check(this.#options.clock())
    } catch {
      // The store or upstream is not available, which both have said.
    } finally {
      this.#isChecking = false
    }
  }

  async #check(now: number): Promise<void> {
    const {store, findGone, closing} = this.#options
    const quiet = await store.quietSites(Math.floor(now / HOUR) - 1)
    const known = await store.goneSites()
    const isQuiet = new Set(quiet)
    for (const publicId of known.keys()) if (!isQuiet.has(publicId)) await store.setGone(publicId, undefined)
    for (let start = 0; start < quiet.length; start += SITES_AT_ONCE) {
      const some = quiet.slice(start, start + SITES_AT_ONCE)
      const gone = await findGone(some)
      if (closing.aborted) return
      for (const publicId of some) await this.#note(publicId, gone.has(publicId), known.get(publicId), now)
    }
  }

  async #note(publicId: string, isGone: boolean, since: number | undefined, now: number): Promise<void> {
    const {store} = this.#options
    if (!isGone) {
      if (since !== undefined) await store.setGone(publicId, undefined)
    } else if (since === undefined || since > now) await store.setGone(publicId, now)
    else if (now - since >= REMOVE_AFTER) await store.remove(publicId)
  }
}
