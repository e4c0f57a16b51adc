import {type CallsReport, DURATION_BOUNDS, type HourOfCalls} from '../../schemas/calls/counts.ts'
import {isRecord} from '../../schemas/record.ts'

/** The calls of one tool in one hour that ended in one way, with all buckets. */
export type CallsInHour = Omit<HourOfCalls, 'hour'> & {
  /** When the hour begins, in milliseconds since 1970. */
  readonly time: number
}

/** The calls of a site within the days that Studio shows. Times are in milliseconds since 1970. */
export type SiteCalls = Pick<CallsReport, 'isOn' | 'errors'> & {
  readonly now: number
  /** Since when the service has counts, if that is within these days. */
  readonly since?: number
  readonly hours: readonly CallsInHour[]
}

const HOUR = 3_600_000

/** The days that Studio shows, today included. */
export const DAYS = 30

/** Buckets of durations: one for each bound, and one for what took longer. */
export const BUCKETS = DURATION_BOUNDS.length + 1

/** Whether a body is a report of calls. */
export function isCallsReport(body: unknown): body is CallsReport {
  const {now, hours, errors} = isRecord(body) ? body : {}
  return typeof now === 'string' && Array.isArray(hours) && Array.isArray(errors)
}

/** The calls in a report, without hours before the days that Studio shows. */
export function parseCalls({now: told, since: first, hours: all, ...report}: CallsReport): SiteCalls {
  const now = Date.parse(told)
  const [start = now] = lastDays(now)
  const since = first === undefined ? start : Date.parse(first)
  const hours = all
    .map(({hour, ...one}) => ({...one, time: Date.parse(hour)}))
    .filter(({time}) => time >= start)
  return {
    ...report,
    now,
    ...(since > start && hours.every(({time}) => time > since - HOUR) && {since}),
    hours,
  }
}

/** When the days that Studio shows begin where this person is, the oldest first. */
export function lastDays(now: number): number[] {
  const today = new Date(now)
  return Array.from({length: DAYS}, (_, index) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - DAYS + 1 + index).getTime(),
  )
}
