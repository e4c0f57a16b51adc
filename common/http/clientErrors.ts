import {STATUS_CODES} from 'node:http'
import type {Socket} from 'node:net'
import type {FastifyBaseLogger} from 'fastify'
import {logRefusal} from './failedRequests.ts'
import {requestId} from './requestId.ts'

/**
 * Time for the client to read the response and close the connection, in milliseconds. Closing at once could
 * lose the response (RFC 9112 §9.6).
 */
const FAREWELL = 1_000

const STATUSES: Readonly<Record<string, 408 | 431>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}

type ClientErrorOptions = {
  readonly log: FastifyBaseLogger
  /** The error for a client, as JSON. */
  readonly answer: (status: 400 | 408 | 431) => {readonly code: string; readonly body: string}
  readonly farewell?: number
}

/**
 * Responds to data that does not form a request: a malformed request line, headers that are too large or too
 * slow.
 */
export function answerClientErrors({log, answer, farewell = FAREWELL}: ClientErrorOptions) {
  return (error: Error & {readonly code?: string}, socket: Socket): void => {
    // Browsers open connections in advance. If no byte arrived, send no response.
    if (!socket.writable || error.code === 'ECONNRESET' || socket.bytesRead === 0) {
      socket.destroy()
      return
    }
    const status = STATUSES[error.code ?? ''] ?? 400
    const {code, body} = answer(status)
    // Its headers are not known.
    const reqId = requestId({headers: {}})
    logRefusal(log, status, () => ({reqId, code}))
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\naccess-control-allow-origin: *\r\n` +
        `cache-control: no-store\r\nx-request-id: ${reqId}\r\nconnection: close\r\n\r\n${body}`,
    )
    // A well-behaved client closes its side of the connection first.
    setTimeout(() => socket.destroy(), farewell).unref()
  }
}
