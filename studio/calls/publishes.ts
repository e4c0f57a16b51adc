import type {CallsInHour, SiteCalls} from './report.ts'
import {callsIn, ENOUGH_CALLS, isFailure} from './summary.ts'

/** A publish of tools. */
export type Publish = {
  /** Empty: not known. */
  readonly commit: string
  /** The author's name. Empty: not known. */
  readonly author: string
  /** Milliseconds since 1970. */
  readonly time: number
  /** The IDs of the tools that it changed. */
  readonly tools: readonly string[]
}

type Sample = {readonly calls: number; readonly failed: number}

/** More calls of a tool fail since it was published. */
export type Regression = {
  /** The ID of the tool's document. */
  readonly tool: string
  /** The publishes that may be the cause, the oldest first: too few calls lie between them to tell which. */
  readonly publishes: readonly [Publish, ...Publish[]]
  /** How many of a hundred calls failed, as shares of 1. */
  readonly before: number
  readonly after: number
}

/**
 * Two rates count as different if their z-score in the two-proportion test is at least 3, with at least ENOUGH_CALLS
 * calls on each side. By chance that happens once in some 700 comparisons; with 1.96, one comparison in 40 would blame
 * a publish. https://en.wikipedia.org/wiki/Two-proportion_Z-test
 */
const SIGNIFICANT = 3

const HOUR = 3_600_000

/** What breaks shows soon: later errors have other causes. Rare calls are waited for for longer. */
const SOON = 24 * HOUR
const LONGEST = 7 * 24 * HOUR

/** A sample without an end. */
const END = Number.POSITIVE_INFINITY

/**
 * The publishes since which more calls of a tool fail than before, at most one for each tool, and only while they still
 * do. Counts are by the hour: the hour of a publish counts as after it.
 */
export function findRegressions(
  publishes: readonly Publish[],
  {hours, now}: Pick<SiteCalls, 'hours' | 'now'>,
): Regression[] {
  const byTool = Map.groupBy(hours, ({tool}) => tool)
  return [...byTool].flatMap(([tool, own]) => {
    const sorted = publishes.filter(({tools}) => tools.includes(tool)).toSorted((a, b) => a.time - b.time)
    return regressionOf(tool, sorted, own, now) ?? []
  })
}

/** @param publishes the oldest first */
function regressionOf(
  tool: string,
  publishes: readonly Publish[],
  hours: readonly CallsInHour[],
  now: number,
): Regression | undefined {
  const groups = groupByCalls(publishes, hours)
  const last = groups.at(-1)?.start ?? 0
  const lately = sampleOf(hours, Math.max(last, now - LONGEST), END)
  const current = lately.calls < ENOUGH_CALLS ? sampleOf(hours, last, END) : lately
  for (const [index, {start, publishes}] of [...groups.entries()].reverse()) {
    const before = sampleOf(hours, Math.max(groups[index - 1]?.start ?? 0, start - LONGEST), start)
    const after = sampleAfter(hours, start, groups[index + 1]?.start ?? END)
    if (isWorse(before, after) && isWorse(before, current))
      return {tool, publishes, before: rateOf(before), after: rateOf(after)}
  }
  return undefined
}

type Group = {readonly start: number; readonly publishes: [Publish, ...Publish[]]}

/** Joins each publish with those that follow before there are enough calls to judge it. */
function groupByCalls(publishes: readonly Publish[], hours: readonly CallsInHour[]): Group[] {
  const groups: Group[] = []
  for (const publish of publishes) {
    const start = hourOf(publish.time)
    const group = groups.at(-1)
    if (group === undefined || sampleOf(hours, group.start, start).calls >= ENOUGH_CALLS)
      groups.push({start, publishes: [publish]})
    else group.publishes.push(publish)
  }
  return groups
}

function hourOf(time: number): number {
  return time - (time % HOUR)
}

/** The calls of the first day, or of the first hours that have enough of them. */
function sampleAfter(hours: readonly CallsInHour[], start: number, end: number): Sample {
  const first = sampleOf(hours, start, Math.min(end, start + SOON))
  if (first.calls >= ENOUGH_CALLS) return first
  const later = hours
    .map(({time}) => time)
    .filter((time) => time >= start + SOON && time < Math.min(end, start + LONGEST))
  for (const time of [...new Set(later)].sort((a, b) => a - b)) {
    const sample = sampleOf(hours, start, time + HOUR)
    if (sample.calls >= ENOUGH_CALLS) return sample
  }
  return first
}

function sampleOf(hours: readonly CallsInHour[], start: number, end: number): Sample {
  let calls = 0
  let failed = 0
  for (const hour of hours) {
    if (hour.time < start || hour.time >= end) continue
    const count = callsIn(hour)
    calls += count
    if (isFailure(hour.outcome)) failed += count
  }
  return {calls, failed}
}

function rateOf({calls, failed}: Sample): number {
  return failed / calls
}

function isWorse(before: Sample, after: Sample): boolean {
  if (before.calls < ENOUGH_CALLS || after.calls < ENOUGH_CALLS) return false
  const pooled = (before.failed + after.failed) / (before.calls + after.calls)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / before.calls + 1 / after.calls))
  return error > 0 && (rateOf(after) - rateOf(before)) / error >= SIGNIFICANT
}
