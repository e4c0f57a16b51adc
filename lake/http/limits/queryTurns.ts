import {FairQueue} from './fairQueue.ts'

/**
 * Unauthenticated clients together use at most half of the time, and each of them at most 5 s per minute for
 * queries that take more than 10 ms. A replica of the service sends up to 32 queries at once.
 */
const STRANGERS_TURNS = {share: 0.5, perClient: 256, total: 4_096, allowance: 5_000, free: 10}

/** Replicas of the service may share a token. */
const KNOWN_TURNS = {share: 1, perClient: 2_048, total: 4_096}

/** The queues of GROQ work, for authenticated principals and for strangers. */
export type QueryTurns = {readonly known: FairQueue; readonly strangers: FairQueue}

/** Makes the queues of one server. */
export function queryTurns(): QueryTurns {
  return {known: new FairQueue(KNOWN_TURNS), strangers: new FairQueue(STRANGERS_TURNS)}
}
