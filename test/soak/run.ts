/** The options of a run. */
export type Run = {
  rounds: number | undefined
  minutes: number | undefined
  /** Number of sites besides those that change. */
  sites: number | undefined
  seed: number
  elapsed: () => string
}
