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

/** As many batches as a test says in so many seconds, or for longer if the environment says so. */
type Length = {batches: number; seconds: number}

/** Replays what the environment names: a seed, one of its batches by its path, and for how long to go on. */
export function replayOptions(
  seed: number,
  length: Length,
): Length & {seed: number; path: string | undefined} {
  const {FUZZ_SEED, FUZZ_PATH, FUZZ_SECONDS} = process.env
  return {
    seed: FUZZ_SEED ? Number(FUZZ_SEED) : seed,
    path: FUZZ_PATH || undefined,
    ...(FUZZ_SECONDS ? {batches: 1_000_000, seconds: Number(FUZZ_SECONDS)} : length),
  }
}
