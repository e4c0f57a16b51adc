import type {FuzzReport} from './fuzz.ts'

/** One line of what a fuzz did. */
export function summary({batches, requests, statuses, seconds, peakMemory, longestWait}: FuzzReport): string {
  const counts = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status || 'none'}: ${count}`)
  return (
    `${batches} batches, ${requests} requests in ${seconds.toFixed(1)} s (${counts.join(', ')}); ` +
    `peak memory ${Math.round(peakMemory / 2 ** 20)} MB; /healthz waited ${Math.round(longestWait)} ms at most`
  )
}

/** The seed and the path of the environment, to replay a failure. */
export function replayOptions(seed: number): {seed: number; path: string | undefined} {
  const {FUZZ_SEED, FUZZ_PATH} = process.env
  return {seed: FUZZ_SEED ? Number(FUZZ_SEED) : seed, path: FUZZ_PATH || undefined}
}
