/**
 * How a call of a tool ended: the tool returned a result, found nothing, threw an error, was cancelled by the agent or by
 * leaving the page, was refused because of its arguments, or was declined by the visitor or because the page does not offer it any more.
 */
export const OUTCOMES = ['ok', 'none', 'error', 'cancelled', 'refused', 'declined'] as const

export type Outcome = (typeof OUTCOMES)[number]

/**
 * Whether a result says that nothing was found: an empty list, `{found: 0, message}`, which compiled tools return, or empty lists
 * and nothing else but zeros, such as `{products: [], total: 0}`.
 */
export function isNothing(result: unknown): boolean {
  if (Array.isArray(result)) return !result.length
  if (typeof result !== 'object') return false
  const lists = Object.values({...result}).filter(Boolean)
  const isEmpty = (one: unknown) => Array.isArray(one) && !one.length
  return Object(result).found === 0 || (lists.length > 0 && lists.every(isEmpty))
}

/** The upper bounds of the buckets of durations, in milliseconds. One more bucket has what took longer. */
export const DURATION_BOUNDS: readonly number[] = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000]

/** The calls of one tool in one hour that ended in one way. */
export type HourOfCalls = {
  /** When the hour begins, in ISO 8601: `2026-11-26T07:00:00Z`. */
  readonly hour: string
  /** The ID of the tool's document. */
  readonly tool: string
  readonly outcome: Outcome
  /** How many calls each bucket of {@link DURATION_BOUNDS} has, and the one after them. */
  readonly durations: readonly number[]
}

/** The first line of an error that calls of a tool had. */
export type CallError = {
  /** The ID of the tool's document. */
  readonly tool: string
  readonly hash: string
  /** Undefined: too few calls had it, or it has a text of an argument in it. */
  readonly text?: string
  readonly count: number
  /** The last hour in which a call had it, in ISO 8601. */
  readonly lastHour: string
}

/** What `GET /api/sites/:publicId/calls` returns. */
export type CallsReport = {
  /** The time of the service, in ISO 8601. */
  readonly now: string
  /** Whether the site's `reportCalls` is on. */
  readonly isOn: boolean
  /** Since when the service has counts, in ISO 8601: earlier ones were lost, or there were none. */
  readonly since?: string
  readonly hours: readonly HourOfCalls[]
  readonly errors: readonly CallError[]
}
