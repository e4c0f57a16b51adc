/** A failed check of a fuzzed server. */
export class Violation extends Error {
  /** Equal for violations with the same cause, as far as can be told. */
  readonly signature: string
  /** Whether the server must be restarted before the next batch. */
  readonly isFatal: boolean

  constructor(signature: string, message: string, isFatal = false) {
    super(message)
    this.signature = signature
    this.isFatal = isFatal
  }
}
