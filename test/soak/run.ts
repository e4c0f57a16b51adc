/** What a run is told. */
export type Run = {
  rounds: number | undefined
  minutes: number | undefined
  seed: number
  elapsed: () => string
}
