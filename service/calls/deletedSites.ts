import {type CallsStore, HOUR} from './store.ts'

/** How long a site must be gone until its calls are removed, in milliseconds: it may be unpublished by mistake. */
const REMOVE_AFTER = 24 * HOUR

/** Sites to look up in an hour. Each may need an upstream query, and takes the place of another in the cache. */
const MAX_CHECKED = 100

export type DeletedSitesOptions = {
  readonly store: Pick<CallsStore, 'quietSites' | 'remove'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Whether no published site has a public ID. */
  readonly isGone: (publicId: string) => Promise<boolean>
  /** Aborts when the store is closed. */
  readonly closing: AbortSignal
}

/** Removes the calls of sites that were deleted or unpublished, also while the service did not run. */
export class DeletedSites {
  readonly #options: DeletedSitesOptions
  /** Since when sites with stored calls are gone. */
  #gone = new Map<string, number>()
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
    const {store, isGone, closing} = this.#options
    const hour = Math.floor(now / HOUR)
    const quiet = new Set(await store.quietSites(hour - 1))
    this.#gone = new Map([...this.#gone].filter(([publicId]) => quiet.has(publicId)))
    const start = (hour * MAX_CHECKED) % Math.max(1, quiet.size)
    const turn = [...quiet, ...quiet].slice(start, start + MAX_CHECKED)
    for (const publicId of new Set([...this.#gone.keys(), ...turn])) {
      const since = (await isGone(publicId)) ? (this.#gone.get(publicId) ?? now) : undefined
      if (closing.aborted) return
      if (since !== undefined && now - since < REMOVE_AFTER) this.#gone.set(publicId, since)
      else this.#gone.delete(publicId)
      if (since !== undefined && now - since >= REMOVE_AFTER) await store.remove(publicId)
    }
  }
}
