import {setTimeout} from 'node:timers/promises'
import type {Random} from '../random.ts'
import type {Answer} from './client.ts'
import type {Ledger} from './ledger.ts'
import type {Outages} from './outages.ts'

/** What was asked and answered. */
export type Counts = {
  /** Answers by kind of request and status. */
  answers: Map<string, number>
  /** Milliseconds of answers for known sites, at most. */
  slowest: number
  publishes: number
  /** Milliseconds from acknowledgement to sight: while all was well, and around outages. */
  seen: number[]
  seenInOutages: number[]
  idleConnections: number
}

/** What all parts of the load share. */
export type Ground = {
  serviceAddress: string
  lakeAddress: string
  ledger: Ledger
  outages: Outages
  counts: Counts
  signal: AbortSignal
}

/** Waits about so long. */
export function pause(random: Random, milliseconds: number, signal: AbortSignal): Promise<void> {
  return setTimeout(random.between(milliseconds / 2, milliseconds * 1.5), undefined, {signal})
}

export function count({counts: {answers}}: Ground, kind: string, {status}: Answer): void {
  const key = `${kind} ${status}`
  answers.set(key, (answers.get(key) ?? 0) + 1)
}
