import {type CallError, DURATION_BOUNDS, type HourOfCalls, OUTCOMES} from '../../schemas/calls/counts.ts'
import {recordsIn} from '../../schemas/rules/json.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {timeOf} from '../siteReports/times.ts'

/** The calls of one tool in one hour that ended in one way, with all buckets. */
export type CallsInHour = Omit<HourOfCalls, 'hour'> & {
  /** When the hour begins, in milliseconds since 1970. */
  readonly time: number
}

/** The calls of a site within the days that Studio shows. */
export type SiteCalls = {
  /** The time of the service, in milliseconds since 1970. */
  readonly now: number
  /** Whether pages report calls. */
  readonly isOn: boolean
  /** Since when the service has counts, in milliseconds since 1970, if that is within these days. */
  readonly since?: number
  /** Why counts may be missing. */
  readonly advice?: string
  readonly hours: readonly CallsInHour[]
  readonly errors: readonly CallError[]
}

const HOUR = 3_600_000

/** The days that Studio shows, today included. */
export const DAYS = 30

/** Buckets of durations: one for each bound, and one for what took longer. */
export const BUCKETS = DURATION_BOUNDS.length + 1

/** Parses a `CallsReport`. Leaves out what is not a count, and hours outside of the days that Studio shows. */
export function parseCalls(body: Record<string, unknown>): SiteCalls {
  const now = timeOf(body.now) ?? Date.now()
  const [start = now] = lastDays(now)
  const hours = recordsIn(body.hours)
    .flatMap((one) => parseHour(one) ?? [])
    .filter(({time, durations}) => time >= start && time <= now && durations.some((count) => count > 0))
  const [since = start, {advice}] = [timeOf(body.since), body]
  return {
    now,
    isOn: body.isOn === true,
    ...(since > start && hours.every(({time}) => time > since - HOUR) && {since}),
    ...(typeof advice === 'string' && {advice}),
    hours,
    errors: recordsIn(body.errors).flatMap((one) => parseError(one) ?? []),
  }
}

/** When the days that Studio shows begin where this person is, the oldest first. */
export function lastDays(now: number): number[] {
  const today = new Date(now)
  return Array.from({length: DAYS}, (_, index) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - DAYS + 1 + index).getTime(),
  )
}

function parseHour({hour, tool, outcome, durations}: Record<string, unknown>): CallsInHour | undefined {
  const time = timeOf(hour)
  const known = OUTCOMES.find((one) => one === outcome)
  if (time === undefined || known === undefined || !Array.isArray(durations)) return undefined
  return {
    time,
    tool: textOf(tool),
    outcome: known,
    durations: Array.from({length: BUCKETS}, (_, bucket) => countOf(durations[bucket])),
  }
}

function parseError(error: Record<string, unknown>): CallError | undefined {
  const count = countOf(error.count)
  const {text, lastHour} = error
  if (count === 0 || timeOf(lastHour) === undefined) return undefined
  return {
    tool: textOf(error.tool),
    hash: textOf(error.hash),
    ...(typeof text === 'string' && {text}),
    count,
    lastHour: textOf(lastHour),
  }
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}
