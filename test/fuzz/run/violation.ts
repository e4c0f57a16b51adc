/** Something that must hold while a server is fuzzed, and does not. */
export class Violation extends Error {
  /** The same for violations that have the same cause, as far as that can be told. */
  readonly signature: string
  /** Whether the server must be started again before it is fuzzed on. */
  readonly isFatal: boolean

  constructor(signature: string, message: string, isFatal = false) {
    super(message)
    this.signature = signature
    this.isFatal = isFatal
  }
}
