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

/** Waits for some milliseconds, or until the signal. It does not keep the process running. Never rejects. */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await timers.setTimeout(milliseconds, undefined, {...(signal && {signal}), ref: false}).catch(() => {})
}
