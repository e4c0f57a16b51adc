import {type FollowedReport, type ReportKind, useSiteReport} from '../siteReports/useSiteReport.ts'
import type {SiteVisits} from './watch.ts'

/** The visits of a site, and a function that asks for them at once. */
export type FollowedVisits = FollowedReport<SiteVisits>

const VISITS: ReportKind<VisitsReport, SiteVisits> = {route: 'visits', parse: parseVisits, interval: 30_000}

/**
 * Follows when pages of a site last asked for their tools.
 * @param siteId of the site
 * @param value the public ID of the published site. Without a valid one, no request is sent.
 * @returns undefined if the site has no valid public ID.
 */
export function useVisits(siteId: string, value: unknown): FollowedVisits | undefined {
  return useSiteReport(siteId, value, VISITS)
}

/** What `GET /api/sites/:publicId/visits` returns. Times are in ISO 8601. */
type VisitsReport = {
  readonly now: string
  readonly seenAt?: string
  readonly tools: readonly {readonly id: string; readonly seenAt: string}[]
}

function parseVisits({now, seenAt, tools}: VisitsReport): SiteVisits {
  return {
    now: Date.parse(now),
    seenAt: seenAt === undefined ? undefined : Date.parse(seenAt),
    tools: new Map(tools.map((tool) => [tool.id, Date.parse(tool.seenAt)])),
  }
}
