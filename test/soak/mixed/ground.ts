import {setTimeout} from 'node:timers/promises'
import type {Random} from '../random.ts'
import type {Answer} from './client.ts'
import type {Ledger} from './ledger.ts'
import type {Outages} from './outages.ts'

/** Counts of requests and responses. */
export type Counts = {
  /** Responses by kind of request and status. */
  answers: Map<string, number>
  /** Maximum response time for known sites, in milliseconds. */
  slowest: number
  publishes: number
  /** Milliseconds from acknowledgement to visibility: in normal operation, and around outages. */
  seen: number[]
  seenInOutages: number[]
  idleConnections: number
}

/** State shared by all parts of the load. */
export type Ground = {
  serviceAddress: string
  lakeAddress: string
  ledger: Ledger
  outages: Outages
  counts: Counts
  signal: AbortSignal
}

/** Waits for about this time. */
export function pause(random: Random, milliseconds: number, signal: AbortSignal): Promise<void> {
  return setTimeout(random.between(milliseconds / 2, milliseconds * 1.5), undefined, {signal})
}

export function count({counts: {answers}}: Ground, kind: string, {status}: Answer): void {
  const key = `${kind} ${status}`
  answers.set(key, (answers.get(key) ?? 0) + 1)
}
