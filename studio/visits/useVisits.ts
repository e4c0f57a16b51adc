import {recordsIn} from '../../schemas/rules/json.ts'
import {timeOf} from '../siteReports/times.ts'
import {type FollowedReport, type ReportKind, useSiteReport} from '../siteReports/useSiteReport.ts'
import type {SiteVisits} from './words.ts'

/** The visits of a site, and a function that asks for them at once. */
export type FollowedVisits = FollowedReport<SiteVisits>

const VISITS: ReportKind<SiteVisits> = {route: 'visits', parse: parseVisits, interval: 30_000}

/**
 * Follows when pages of a site last asked for their tools.
 * @param siteId of the site
 * @param value the public ID of the published site. Without a valid one, no request is sent.
 * @returns undefined if the site has no valid public ID.
 */
export function useVisits(siteId: string, value: unknown): FollowedVisits | undefined {
  return useSiteReport(siteId, value, VISITS)
}

function parseVisits(body: Record<string, unknown>): SiteVisits {
  return {
    now: timeOf(body.now) ?? Date.now(),
    seenAt: timeOf(body.seenAt),
    tools: new Map(recordsIn(body.tools).map(({id, seenAt}) => [String(id), timeOf(seenAt) ?? 0])),
  }
}
