/** A request that a page or a command sends, without headers. */
export type Exchange = {
  readonly method: string
  /** Absolute. */
  readonly address: string
  readonly contentType?: string
  readonly body?: string
  /** The JSON that came back, if it is known. */
  readonly answer?: unknown
}
