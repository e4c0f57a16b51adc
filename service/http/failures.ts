import {STATUS_CODES} from 'node:http'
import type {Socket} from 'node:net'
import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import {type ErrorBody, type ErrorCode, errors, isErrorCode, LakeError} from '../errors.ts'

type Failure = {statusCode: number; code: ErrorCode; message: string}

/** Answers every failure in one shape: a coded body that any origin may read and no cache may keep. */
export function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler<Error>((error, request, reply) => sendFailure(error, request, reply))
  app.setNotFoundHandler((request, reply) => sendFailure(nothingHere(), request, reply))
}

/**
 * Makes sure that a request body is read only for a route that takes one. Fastify would read and parse up to 1 MB for an
 * address where nothing is, before it says so.
 */
export function refuseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? nothingHere() : undefined))
}

/** Answers one failure. Also for those that come before routing, where no hook has run. */
export function sendFailure(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toFailure(error)
  // Of the lake's troubles the log is told once, not for each request.
  if (error instanceof LakeError) reply.header('retry-after', error.retryAfter)
  else if (failure.statusCode >= 500) request.log.error({err: error, url: request.url}, 'request failed')
  return reply
    .code(failure.statusCode)
    .header('access-control-allow-origin', '*')
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(bodyOf(failure))
}

/** Answers what is not HTTP enough to become a request: a malformed line, headers too large or too slow. */
export function answerClientError(error: Error & {code?: string}, socket: Socket): void {
  // Who never asked gets no answer: browsers open connections ahead.
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
  // To be closed from both sides, as a client that means no harm does.
  setTimeout(() => socket.destroy(), FAREWELL).unref()
}

/** Milliseconds for a client to take the answer and to close: at once, the answer could be lost (RFC 9112 §9.6). */
const FAREWELL = 1_000

const clientErrors: Record<string, Error> = {
  ERR_HTTP_REQUEST_TIMEOUT: new errors.REQUEST_TOO_SLOW(),
  HPE_HEADER_OVERFLOW: new errors.HEADERS_TOO_LARGE(),
}

/** What a visitor may know of an error: the registry's own text, or for anything unforeseen only that it happened. */
export function toFailure(error: Error & {code?: string; statusCode?: number}): Failure {
  const {code = '', statusCode = 500, message} = error
  if (isErrorCode(code)) return {statusCode, code, message}
  // Fastify's own: an identifier longer than the router takes, or a URL that no decoder understands, names nothing.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH' || code === 'FST_ERR_BAD_URL') return toFailure(nothingHere())
  if (statusCode >= 400 && statusCode < 500) return {statusCode, code: 'BAD_REQUEST', message}
  return INTERNAL_ERROR
}

const INTERNAL_ERROR = toFailure(new errors.INTERNAL_ERROR())

function nothingHere(): Error {
  return new errors.NOT_FOUND('Nothing is at this address.')
}

function bodyOf({code, message}: Failure): string {
  const body: ErrorBody = {error: {code, message}}
  return JSON.stringify(body)
}
