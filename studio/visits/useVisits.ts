import {type FollowedReport, type ReportKind, useSiteReport} from '../siteReports/useSiteReport.ts'
import {isVisitsReport, parseVisits, type SiteVisits, type VisitsReport} from './report.ts'

/** The visits of a site, and how they are asked for. */
export type FollowedVisits = FollowedReport<SiteVisits>

const VISITS: ReportKind<VisitsReport, SiteVisits> = {
  route: 'visits',
  isBody: isVisitsReport,
  parse: parseVisits,
  interval: 30_000,
}

/**
 * Follows when pages of a site last asked for their tools.
 * @param siteId of the site
 * @param value the public ID of the published site. Without a valid one, no request is sent.
 * @returns undefined if the site has no valid public ID.
 */
export function useVisits(siteId: string, value: unknown): FollowedVisits | undefined {
  return useSiteReport(siteId, value, VISITS)
}
