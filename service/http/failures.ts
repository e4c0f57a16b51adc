import {STATUS_CODES} from 'node:http'
import type {Socket} from 'node:net'
import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import {logFailure, nameRequest} from '../../common/http/failedRequests.ts'
import {type ErrorBody, type ErrorCode, errors, isErrorCode, UpstreamError} from '../errors.ts'
import {reasonOf} from '../upstream/upstreamFailure.ts'

type Failure = {readonly statusCode: number; readonly code: ErrorCode; readonly message: string}

/** Returns every error in the same format: a coded body that any origin may read and no cache may store. */
export function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler<Error>((error, request, reply) => sendFailure(error, request, reply))
  app.setNotFoundHandler((request, reply) => sendFailure(nothingHere(), request, reply))
}

/**
 * Reads request bodies only on routes that accept one. Otherwise Fastify reads and parses up to 1 MB before
 * it returns a 404.
 */
export function refuseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? nothingHere() : undefined))
}

/** Sends an error response. Also used for errors before routing, when no hook has run. */
export function sendFailure(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toFailure(error)
  if (error instanceof UpstreamError) {
    reply.header('retry-after', error.retryAfter)
    logFailure(request, {reason: reasonOf(error)})
  } else if (failure.statusCode >= 500) logFailure(request, {err: error})
  nameRequest(request, reply)
  return reply
    .code(failure.statusCode)
    .header('access-control-allow-origin', '*')
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(bodyOf(failure))
}

/**
 * Responds to data that does not form a request: a malformed request line, headers that are too large or too
 * slow.
 */
export function answerClientError(
  error: Error & {readonly code?: string},
  socket: Socket,
  farewell = FAREWELL,
): void {
  // Browsers open connections in advance. If no byte arrived, send no response.
  if (!socket.writable || error.code === 'ECONNRESET' || socket.bytesRead === 0) {
    socket.destroy()
    return
  }
  const failure = toFailure(clientErrors[error.code ?? ''] ?? new errors.BAD_REQUEST('it is not HTTP.'))
  const body = bodyOf(failure)
  socket.end(
    `HTTP/1.1 ${failure.statusCode} ${STATUS_CODES[failure.statusCode]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\naccess-control-allow-origin: *\r\n` +
      `cache-control: no-store\r\nconnection: close\r\n\r\n${body}`,
  )
  // A well-behaved client closes its side of the connection first.
  setTimeout(() => socket.destroy(), farewell).unref()
}

/**
 * Time for the client to read the response and close the connection, in milliseconds. Closing at once could
 * lose the response (RFC 9112 §9.6).
 */
const FAREWELL = 1_000

const clientErrors: Record<string, Error> = {
  ERR_HTTP_REQUEST_TIMEOUT: new errors.REQUEST_TOO_SLOW(),
  HPE_HEADER_OVERFLOW: new errors.HEADERS_TOO_LARGE(),
}

/**
 * Converts an error to what visitors may see: the registry's text, or only `INTERNAL_ERROR` for anything
 * unforeseen.
 */
export function toFailure(error: Error & {readonly code?: string; readonly statusCode?: number}): Failure {
  const {code = '', statusCode = 500, message} = error
  if (isErrorCode(code)) return {statusCode, code, message}
  // Fastify's own errors: an ID that is too long for the router, or a URL that cannot be decoded. Both name
  // nothing.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH' || code === 'FST_ERR_BAD_URL') return toFailure(nothingHere())
  if (statusCode >= 400 && statusCode < 500) return {statusCode, code: 'BAD_REQUEST', message}
  return INTERNAL_ERROR
}

const INTERNAL_ERROR = toFailure(new errors.INTERNAL_ERROR())

function nothingHere(): Error {
  return new errors.NOT_FOUND('There is nothing at this URL.')
}

function bodyOf({code, message}: Failure): string {
  const body: ErrorBody = {error: {code, message}}
  return JSON.stringify(body)
}
