/** A response as it was read from a connection. */
export type FuzzResponse = {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** Whether all of the body has arrived. */
  readonly isComplete: boolean
}

/**
 * Reads the first final response in the bytes of a connection; undefined while its headers are incomplete.
 * @param hasEnded whether the server has closed the connection.
 */
export function readResponse(bytes: Buffer, method: string, hasEnded: boolean): FuzzResponse | undefined {
  let start = 0
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n', start)
    if (end < 0) return undefined
    const [statusLine = '', ...lines] = bytes.toString('latin1', start, end).split('\r\n')
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1])
    start = end + 4
    // Interim responses come before the final one.
    if (status >= 100 && status < 200 && status !== 101) continue
    const headers = new Map(
      lines.map((line) => [
        line.split(':', 1)[0]?.toLowerCase() ?? '',
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    )
    const hasNoBody = method === 'HEAD' || status === 101 || status === 204 || status === 304
    const rest = bytes.subarray(start)
    if (hasNoBody) return {status, headers, body: Buffer.alloc(0), isComplete: true}
    return {status, headers, ...bodyOf(rest, headers, hasEnded)}
  }
}

function bodyOf(
  rest: Buffer,
  headers: ReadonlyMap<string, string>,
  hasEnded: boolean,
): Pick<FuzzResponse, 'body' | 'isComplete'> {
  const length = headers.get('content-length')
  if (length !== undefined) {
    const body = rest.subarray(0, Number(length))
    return {body, isComplete: body.length === Number(length)}
  }
  if (headers.get('transfer-encoding') !== 'chunked') return {body: rest, isComplete: hasEnded}
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const end = rest.indexOf('\r\n', at)
    const size = end < 0 ? Number.NaN : Number.parseInt(rest.toString('latin1', at, end), 16)
    if (Number.isNaN(size) || end + 2 + size > rest.length)
      return {body: Buffer.concat(chunks), isComplete: false}
    if (size === 0) return {body: Buffer.concat(chunks), isComplete: true}
    chunks.push(rest.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}
