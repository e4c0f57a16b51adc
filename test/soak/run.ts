/** What a run is told. */
export type Run = {rounds: number | undefined; seed: number; elapsed: () => string}
