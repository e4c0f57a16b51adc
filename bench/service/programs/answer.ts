/** The status of a response and its total length in bytes. */
export type Answer = {status: number; length: number}

const END_OF_HEADERS = Buffer.from('\r\n\r\n')

/**
 * Parses the response at the start of these bytes. `undefined` until its headers are complete.
 * @throws if there is no `Content-Length` (RFC 9112 §6.3).
 */
export function answerAt(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf(END_OF_HEADERS)
  if (end === -1) return undefined
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const headers = end + END_OF_HEADERS.length
  if (status === 304) return {status, length: headers}
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  if (length === undefined) throw new Error(`returned ${status} of unknown length`)
  return {status, length: headers + Number(length)}
}
