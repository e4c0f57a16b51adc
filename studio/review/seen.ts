import type {RequestHandlerOptions} from '@sanity/client'
import {isRecord} from '../../schemas/record.ts'
import {tabItems} from '../saving/storage.ts'

/** Studio's own buttons send these, which know of no reviews. */
const APPROVALS: readonly unknown[] = ['sanity.action.release.publish', 'sanity.action.release.schedule']

const keyOf = (release: unknown) => `handrail.seen.${release}`

/** Keeps what this tab has shown of the review of a release: Studio publishes and schedules releases on another page. */
export function keepSeen(release: string, content: string): void {
  tabItems.setItem(keyOf(release), content)
}

/** Names in a request to publish or schedule a release what its review has shown. Each look counts once. */
export function withSeen(request: RequestHandlerOptions): RequestHandlerOptions {
  const {body} = request
  if (!isRecord(body) || !Array.isArray(body.actions) || body.dryRun === true) return request
  const actions = body.actions.map((action: unknown) => {
    if (!isRecord(action) || !APPROVALS.includes(action.actionType)) return action
    const key = keyOf(action.releaseId)
    const ifReviewed = tabItems.getItem(key) ?? undefined
    tabItems.removeItem(key)
    return {ifReviewed, ...action}
  })
  return {...request, body: {...body, actions}}
}
