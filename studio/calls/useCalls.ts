import type {CallsReport} from '../../schemas/calls/counts.ts'
import type {StoredDocument} from '../../schemas/documents.ts'
import type {Answer} from '../live/answer.ts'
import {type ReportKind, useSiteReport} from '../siteReports/useSiteReport.ts'
import {isCallsReport, parseCalls, type SiteCalls} from './report.ts'

const CALLS: ReportKind<CallsReport, SiteCalls> = {
  route: 'calls?days=30',
  isBody: isCallsReport,
  parse: parseCalls,
  interval: 60_000,
}

/** The calls of a site, or why there are none. */
export type FollowedCalls = Answer<SiteCalls> | {readonly state: 'unpublished' | 'off'}

/** Follows the calls of a site. @param published its published document */
export function useCalls(siteId: string, published: StoredDocument | undefined): FollowedCalls {
  const isOn = published?.reportCalls === true
  const report = useSiteReport(siteId, isOn ? published.publicId : undefined, CALLS)
  if (published === undefined) return {state: 'unpublished'}
  return isOn ? (report?.answer ?? {state: 'unpublished'}) : {state: 'off'}
}
