/** Whether `CI_DEEP` asks for more runs, and gives them more time. */
export const IS_DEEP = process.env.CI_DEEP === '1'

/** Runs of a property in a test, unless `CI_DEEP` asks for more: most mistakes show in the first hundred. */
const DEFAULT_RUNS = 200

/**
 * The number of runs of a property test, for fast-check's `numRuns`.
 * @param deep runs with `CI_DEEP=1`
 */
export function runs(deep: number): number {
  return IS_DEEP ? deep : Math.min(deep, DEFAULT_RUNS)
}
