/** A mistake that is planted in the source, to see which test finds it. */
export type Fault = {
  /** What users would notice. */
  readonly name: string
  /** The changed file, relative to the root. */
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
}
