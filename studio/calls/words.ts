import {DURATION_BOUNDS} from '../../schemas/calls/counts.ts'
import {dayOf} from '../siteReports/times.ts'
import {shortCommit} from '../tests/report.ts'
import type {Regression} from './publishes.ts'
import {DAYS, type SiteCalls} from './report.ts'
import type {Totals} from './summary.ts'

/** A duration such as "250 ms" or "2.5 s". */
function durationText(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${milliseconds / 1_000} s`
}

/** A percentile, of which only the bucket is known. */
export function percentileText(bound: number | undefined): string {
  if (bound === undefined) return ''
  return Number.isFinite(bound)
    ? `≤ ${durationText(bound)}`
    : `> ${durationText(DURATION_BOUNDS.at(-1) ?? 0)}`
}

export function countText(count: number): string {
  return count.toLocaleString('en-US')
}

/** A share of calls such as "1%" or "0.4%". */
function shareText(share: number): string {
  return share.toLocaleString('en-US', {style: 'percent', maximumSignificantDigits: 2})
}

/** A day such as "Tuesday, November 24". */
export function dayText(start: number): string {
  return new Date(start).toLocaleDateString('en-US', {weekday: 'long', day: 'numeric', month: 'long'})
}

/** Calls in one sentence. */
export function totalsText({calls, failed, foundNothing, p50, p95}: Totals): string {
  if (calls === 0) return 'No calls'
  const nothing = foundNothing === 0 ? '' : `, ${countText(foundNothing)} found nothing`
  const counts = `${countText(calls)} ${calls === 1 ? 'call' : 'calls'}, ${failed === 0 ? 'none' : countText(failed)} failed${nothing}`
  return p50 === undefined
    ? counts
    : `${counts}, half took ${percentileText(p50)}, 95% ${percentileText(p95)}`
}

/** The calls of the days that Studio shows, in one sentence. */
export function lastDaysText(totals: Totals): string {
  return `In the last ${DAYS} days: ${totalsText(totals)}`
}

/** What the numbers lack. */
export function missingText({since}: Pick<SiteCalls, 'since'>): string[] {
  return since === undefined ? [] : [`The service has no counts from before ${dayText(since)}.`]
}

/** Since when more calls fail: "Since abc1234 (Ada Lovelace, Tuesday), errors of addToCart went from 1% to 14%." */
export function regressionText({publishes, before, after}: Regression, name: string, now: number): string {
  return `${sinceText(publishes, now)}, errors of ${name} went from ${shareText(before)} to ${shareText(after)}.`
}

function sinceText(publishes: Regression['publishes'], now: number): string {
  const {commit, author, time} = publishes.at(-1) ?? publishes[0]
  const day = dayOf(time, now)
  if (commit === '') return `Since its last publish (${day})`
  const others = publishes.length - 1
  const also = others === 0 ? '' : ` and ${others} ${others === 1 ? 'publish' : 'publishes'} shortly before`
  return `Since ${shortCommit(commit)}${also} (${[author, day].filter((part) => part !== '').join(', ')})`
}
