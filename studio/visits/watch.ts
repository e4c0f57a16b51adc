import {MAX_AGE} from '../../schemas/rules/pollInterval.ts'

/** When pages of a site last asked for their tools, in milliseconds since 1970 by the clock of the service. */
export type SiteVisits = {
  readonly now: number
  /** Undefined: no page is known to have asked. */
  readonly seenAt: number | undefined
  /** By the IDs of tools. */
  readonly tools: ReadonlyMap<string, number>
}

/** What became of a page that was opened to see whether it asks for its tools. */
export type Watched = 'watching' | 'seen' | 'silent'

/** How long a page is watched for, and the pause between two requests, in milliseconds. */
export const WATCH_FOR = 30_000
const INTERVAL = 2_000

/**
 * How old a visit may be that counts, in milliseconds: browsers and caches keep what a page got for `MAX_AGE`, and the
 * times of the service are exact to ten seconds.
 */
const RECENT = (MAX_AGE + 15) * 1_000

/**
 * Asks until a page is seen, or the time is over.
 * @param report called with each change
 */
export async function watchVisits(
  ask: () => Promise<SiteVisits>,
  report: (watched: Watched) => void,
  signal: AbortSignal,
  {now = Date.now, wait = pause} = {},
): Promise<void> {
  const endsAt = now() + WATCH_FOR
  report('watching')
  while (!signal.aborted) {
    const visits = await ask().catch(() => undefined)
    if (signal.aborted) return
    if (visits?.seenAt !== undefined && visits.now - visits.seenAt <= RECENT) return report('seen')
    if (now() + INTERVAL > endsAt) return report('silent')
    await wait(INTERVAL)
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
