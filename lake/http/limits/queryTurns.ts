import type {Bounds} from '../../query/run.ts'
import {FairQueue, type TurnLimits} from './fairQueue.ts'

/** What the queries of some clients may use, each and together. */
export type QueryLimits = {readonly bounds: Bounds; readonly turns: TurnLimits}

/**
 * Unauthenticated clients together use at most half of the time, and each of them at most 5 s per minute for
 * queries that take more than 10 ms. A replica of the service sends up to 32 queries at once. Sites of a thousand
 * tools need a hundredth of each bound.
 */
export const STRANGERS_LIMITS: QueryLimits = {
  bounds: {milliseconds: 1_000, bytes: 64 * 2 ** 20, characters: 16 * 2 ** 20},
  turns: {share: 0.5, perClient: 256, total: 4_096, allowance: 5_000, free: 10},
}

/** Of signed-in editors and programs with a token. Replicas of the service may share one. */
const KNOWN_LIMITS: QueryLimits = {
  bounds: {milliseconds: 5_000, bytes: 64 * 2 ** 20, characters: 32 * 2 ** 20},
  turns: {share: 1, perClient: 2_048, total: 4_096},
}

/** A queue of GROQ work, and the bounds of each query in it. */
export type QueryTurns = {readonly queue: FairQueue; readonly bounds: Bounds}

/** Makes the queues of one server, for authenticated principals and for strangers. */
export function queryTurns(strangers = STRANGERS_LIMITS): Record<'known' | 'strangers', QueryTurns> {
  return {known: turnsOf(KNOWN_LIMITS), strangers: turnsOf(strangers)}
}

function turnsOf({bounds, turns}: QueryLimits): QueryTurns {
  return {bounds, queue: new FairQueue(turns)}
}
