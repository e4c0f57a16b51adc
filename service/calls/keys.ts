import {DURATION_BOUNDS, OUTCOMES, type Outcome} from '../../schemas/calls/counts.ts'
import type {Count} from '../counts/store.ts'

/** Calls of one tool in one hour that ended in one way. */
export type CallCounts = {
  /** Hours since 1970. */
  readonly hour: number
  readonly tool: string
  readonly outcome: Outcome
  /** By bucket, see `DURATION_BOUNDS`. */
  readonly durations: number[]
}

/** How many calls of one tool in one hour had an error. */
export type ErrorCounts = {
  readonly hour: number
  readonly tool: string
  readonly hash: string
  readonly count: number
}

/** The key of calls. That of an error is its hash. */
export function keyOfCalls(outcome: Outcome, bucket: number): string {
  return `${outcome} ${bucket}`
}

const HASH = /^[0-9a-f]{16}$/

/** Reads counts back. Keys that a later version or another program wrote are left out. */
export function callsIn(counts: readonly Count[]): {calls: CallCounts[]; errors: ErrorCounts[]} {
  const calls = new Map<string, CallCounts>()
  const errors: ErrorCounts[] = []
  for (const {tool, hour, key, number} of counts) {
    const [name, bucket = ''] = key.split(' ')
    const outcome = OUTCOMES.find((one) => one === name)
    if (outcome && /^\d$/.test(bucket) && Number(bucket) <= DURATION_BOUNDS.length) {
      const id = `${hour} ${tool} ${outcome}`
      const durations = calls.get(id)?.durations ?? Array.from({length: DURATION_BOUNDS.length + 1}, () => 0)
      durations[Number(bucket)] = (durations[Number(bucket)] ?? 0) + number
      calls.set(id, {hour, tool, outcome, durations})
    } else if (HASH.test(key)) errors.push({hour, tool, hash: key, count: number})
  }
  return {calls: [...calls.values()], errors}
}
