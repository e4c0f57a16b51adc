/** The beginning of an answer: its status, and the bytes of all of it. */
export type Answer = {status: number; length: number}

const END_OF_HEADERS = Buffer.from('\r\n\r\n')

/**
 * Reads the answer that these bytes begin with; undefined while its headers are not whole.
 * @throws where no `Content-Length` says how long its content is (RFC 9112 §6.3).
 */
export function answerAt(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf(END_OF_HEADERS)
  if (end === -1) return undefined
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const headers = end + END_OF_HEADERS.length
  if (status === 304) return {status, length: headers}
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  if (length === undefined) throw new Error(`answered ${status} of unknown length`)
  return {status, length: headers + Number(length)}
}
