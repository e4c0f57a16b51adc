import timers from 'node:timers/promises'
import {halfJitterGenerator} from 'cockatiel'

/** The first and the longest delay, in milliseconds. */
export type BackoffLimits = {readonly first: number; readonly longest: number}

/**
 * The delay before the next attempt after this many consecutive failures, in milliseconds. It doubles with
 * each failure. Up to half of it is random, so that replicas do not all retry at the same moment.
 */
export function backoffDelay(failures: number, {first, longest}: BackoffLimits): number {
  const options = {initialDelay: first, maxDelay: longest, exponent: 2, generator: halfJitterGenerator}
  const [delay] = halfJitterGenerator(failures - 1, options)
  return delay
}

/**
 * The delay that a response asks for, in milliseconds: its `Retry-After` (RFC 9110 §10.2.3), a number of seconds or a
 * date. Undefined if there is none, or it is over.
 */
export function parseRetryAfter(field: string | null | undefined, now = Date.now()): number | undefined {
  const text = field?.trim() ?? ''
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return milliseconds > 0 ? milliseconds : undefined
}

/** Waits for some milliseconds, or until the signal. It does not keep the process running. Never rejects. */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await timers.setTimeout(milliseconds, undefined, {...(signal && {signal}), ref: false}).catch(() => {})
}
