import {serviceOriginOfPage} from './install/page.ts'
import {readTarget, type Target} from './target.ts'

/** `sanity.cli.ts` inserts it into the bundle. */
declare const HANDRAIL_TARGET: Target | undefined

/** What this Studio edits. */
export const target = typeof HANDRAIL_TARGET === 'undefined' ? readTarget(process.env) : HANDRAIL_TARGET

/** Whether the content is in a lake. Hosted Sanity has no reviews, people or reports. */
export const isLake = target.apiHost !== undefined

/** The public origin of the service. */
export const serviceOrigin = serviceOriginOfPage() ?? target.serviceOrigin
