import {DURATION_BOUNDS, type Outcome} from '../../schemas/calls/counts.ts'
import {BUCKETS, type CallsInHour, lastDays} from './report.ts'

/** Calls added up. */
export type Totals = {
  readonly calls: number
  /** Calls whose tool returned an error, or refused the arguments. */
  readonly failed: number
  /** Calls that found nothing: a result, no failure. */
  readonly foundNothing: number
  /** The upper bounds of the buckets with the median and the 95th percentile, in milliseconds. */
  readonly p50: number | undefined
  readonly p95: number | undefined
}

export type DayOfCalls = Totals & {
  /** When the day begins, in milliseconds since 1970. */
  readonly start: number
}

/** A tool as lists of calls show it. */
export type NamedTool = {readonly id: string; readonly type: string; readonly name: string}

export type ToolCalls = NamedTool & Totals

/** Fewer calls say little about a tool: their rates are never compared. */
export const ENOUGH_CALLS = 20

const FAILED: readonly Outcome[] = ['error', 'refused']

/** The calls that a tool worked on until the end. The others took as long as agents and visitors wanted. */
const TIMED: readonly Outcome[] = ['ok', 'none', 'error']

export function isFailure(outcome: Outcome): boolean {
  return FAILED.includes(outcome)
}

export function totalsOf(hours: readonly CallsInHour[]): Totals {
  const durations: number[] = new Array(BUCKETS).fill(0)
  let calls = 0
  let failed = 0
  let foundNothing = 0
  for (const hour of hours) {
    const count = callsIn(hour)
    calls += count
    if (isFailure(hour.outcome)) failed += count
    if (hour.outcome === 'none') foundNothing += count
    if (TIMED.includes(hour.outcome))
      hour.durations.forEach((value, bucket) => {
        durations[bucket] = (durations[bucket] ?? 0) + value
      })
  }
  return {calls, failed, foundNothing, p50: percentile(durations, 0.5), p95: percentile(durations, 0.95)}
}

export function callsIn({durations}: CallsInHour): number {
  return durations.reduce((sum, count) => sum + count, 0)
}

/**
 * The upper bound of the bucket that has a percentile, in milliseconds.
 * @param share such as 0.95
 * @returns infinity for the last bucket, and undefined without calls.
 */
export function percentile(durations: readonly number[], share: number): number | undefined {
  const all = durations.reduce((sum, count) => sum + count, 0)
  if (all === 0) return undefined
  let rank = Math.ceil(all * share)
  const bucket = durations.findIndex((count) => {
    rank -= count
    return rank <= 0
  })
  return DURATION_BOUNDS[bucket] ?? Number.POSITIVE_INFINITY
}

/** The calls of each day that Studio shows, the oldest first. */
export function callsByDay(hours: readonly CallsInHour[], now: number): DayOfCalls[] {
  const starts = lastDays(now)
  const days = Map.groupBy(hours, ({time}) => starts.findLast((start) => start <= time))
  return starts.map((start) => ({start, ...totalsOf(days.get(start) ?? [])}))
}

/** The calls of each of the tools, those with the most calls first. */
export function callsByTool(tools: readonly NamedTool[], hours: readonly CallsInHour[]): ToolCalls[] {
  const byTool = Map.groupBy(hours, ({tool}) => tool)
  return tools
    .map((tool) => ({...tool, ...totalsOf(byTool.get(tool.id) ?? [])}))
    .sort((a, b) => b.calls - a.calls)
}

/** The calls of each hour as a table for other programs (RFC 4180), the oldest first. */
export function toCsv(hours: readonly CallsInHour[], tools: readonly NamedTool[]): string {
  const names = new Map(tools.map(({id, name}) => [id, name]))
  const columns = [...DURATION_BOUNDS.map((bound) => `up to ${bound} ms`), 'longer']
  const rows = hours
    .toSorted((a, b) => a.time - b.time)
    .map((one) => {
      const name = cellOf(names.get(one.tool) ?? '')
      return [new Date(one.time).toISOString(), name, one.outcome, callsIn(one), ...one.durations]
    })
  return [['hour', 'tool', 'outcome', 'calls', ...columns], ...rows]
    .map((row) => `${row.join(',')}\r\n`)
    .join('')
}

/** A spreadsheet runs a cell that begins with one of these as a formula. https://owasp.org/www-community/attacks/CSV_Injection */
function cellOf(text: string): string {
  return `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`
}
