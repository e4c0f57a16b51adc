import {OUTCOMES, type Outcome} from '../../../schemas/calls/counts.ts'
import {BUCKETS, type CallsInHour} from '../../../studio/calls/report.ts'

/** A Thursday, at noon where the test runs. */
export const NOW = new Date(2026, 10, 26, 12, 30).getTime()

export const HOUR = 3_600_000

/** Counts of calls by outcome, such as `{ok: 100, error: 3}`. */
export type Counts = Partial<Readonly<Record<Outcome, number>>>

/** The calls of an hour, all in one bucket of durations. */
export function hoursOf(time: number, counts: Counts, tool = 'cart', bucket = 2): CallsInHour[] {
  return OUTCOMES.flatMap((outcome) => {
    const count = counts[outcome] ?? 0
    if (count === 0) return []
    return {
      time,
      tool,
      outcome,
      durations: Array.from({length: BUCKETS}, (_, at) => (at === bucket ? count : 0)),
    }
  })
}
