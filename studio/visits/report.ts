import {isRecord} from '../../schemas/record.ts'
import {MAX_AGE} from '../../schemas/rules/pollInterval.ts'

/** When pages of a site last asked for their tools, in milliseconds since 1970 by the clock of the service. */
export type SiteVisits = ReturnType<typeof parseVisits>

/** What `GET /api/sites/:publicId/visits` returns. Times are in ISO 8601. */
export type VisitsReport = {
  readonly now: string
  readonly seenAt?: string
  readonly tools: readonly {readonly id: string; readonly seenAt: string}[]
}

/**
 * How old a visit may be that counts as one of a page that was just opened, in milliseconds: browsers and caches keep what a
 * page got for `MAX_AGE`, and the times of the service are exact to ten seconds.
 */
const RECENT = (MAX_AGE + 15) * 1_000

/** Whether a body is a report of visits. */
export function isVisitsReport(body: unknown): body is VisitsReport {
  return isRecord(body) && typeof body.now === 'string' && Array.isArray(body.tools)
}

/** When a page has just asked. Undefined: none has. */
export function justSeen({now, seenAt}: Pick<SiteVisits, 'now' | 'seenAt'>): number | undefined {
  return seenAt !== undefined && now - seenAt <= RECENT ? seenAt : undefined
}

export function parseVisits({now, seenAt, tools}: VisitsReport) {
  return {
    now: Date.parse(now),
    /** Undefined: no page is known to have asked. */
    seenAt: seenAt === undefined ? undefined : Date.parse(seenAt),
    /** By the IDs of tools. */
    tools: new Map(tools.map((tool) => [tool.id, Date.parse(tool.seenAt)])),
  }
}
