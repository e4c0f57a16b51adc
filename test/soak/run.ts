/** The options of a run. */
export type Run = {
  rounds: number | undefined
  minutes: number | undefined
  seed: number
  elapsed: () => string
}
