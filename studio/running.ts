import {RUNNING_SITE_META, type RunningSite, SERVICE_ORIGIN_META} from './serviceOrigin.ts'
import {readTarget, type Target} from './target.ts'

/** `sanity.cli.ts` inserts it into the bundle. */
declare const HANDRAIL_TARGET: Target | undefined

/** What this Studio edits. */
export const target = typeof HANDRAIL_TARGET === 'undefined' ? readTarget(process.env) : HANDRAIL_TARGET

/** Whether the content is in a lake. Hosted Sanity has no reviews, people or reports. */
export const isLake = target.apiHost !== undefined

/** The public origin of the service. */
export const serviceOrigin = metaOfPage(SERVICE_ORIGIN_META) ?? target.serviceOrigin

/** The site that the server of Studio runs too. Undefined if there is none. */
export function runningSiteOfPage(): RunningSite | undefined {
  const [publicId, address] = metaOfPage(RUNNING_SITE_META)?.split(' ') ?? []
  return publicId === undefined || address === undefined ? undefined : {publicId, address}
}

/** Undefined in Sanity's command line, which has no page. */
function metaOfPage(name: string): string | undefined {
  if (typeof document === 'undefined') return undefined
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? undefined
}
