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

/**
 * Removes the calls and visits of sites that were deleted or unpublished, also while the service did not run. To be called once an
 * hour.
 * @throws if the store or upstream fails
 */
export async function removeDeletedSites({
  store,
  clock,
  findGone,
  closing,
}: DeletedSitesOptions): Promise<void> {
  const now = clock()
  const quiet = await store.quietSites(Math.floor(now / HOUR) - 1)
  const known = await store.goneSites()
  const isQuiet = new Set(quiet)
  for (const publicId of known.keys()) if (!isQuiet.has(publicId)) await store.setGone(publicId, undefined)
  for (let start = 0; start < quiet.length; start += SITES_AT_ONCE) {
    const some = quiet.slice(start, start + SITES_AT_ONCE)
    const gone = await findGone(some)
    if (closing.aborted) return
    for (const publicId of some) {
      const since = known.get(publicId)
      if (!gone.has(publicId)) {
        if (since !== undefined) await store.setGone(publicId, undefined)
      } else if (since === undefined || since > now) await store.setGone(publicId, now)
      else if (now - since >= REMOVE_AFTER) await store.remove(publicId)
    }
  }
}
