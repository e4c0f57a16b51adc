import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import {logFailure, logRefusal, nameRequest} from '../../common/http/failedRequests.ts'
import {type ErrorCode, errors, isErrorCode, UpstreamError} from '../errors.ts'
import {messagesIn} from '../upstream/upstreamFailure.ts'

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
    logFailure(request, {reason: messagesIn(error)})
  } else if (failure.statusCode >= 500) logFailure(request, {err: error})
  else {
    const {code, statusCode} = failure
    logRefusal(request.log, statusCode, () => ({code, route: request.routeOptions.url}))
  }
  nameRequest(request, reply)
  return reply
    .code(failure.statusCode)
    .header('access-control-allow-origin', '*')
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(bodyOf(failure))
}

const clientErrors = {
  400: new errors.BAD_REQUEST('it is not HTTP.'),
  408: new errors.REQUEST_TOO_SLOW(),
  431: new errors.HEADERS_TOO_LARGE(),
}

/** What a client gets for data that does not form a request. */
export function clientFailure(status: keyof typeof clientErrors) {
  const failure = toFailure(clientErrors[status])
  return {code: failure.code, body: bodyOf(failure)}
}

/**
 * Converts an error to what visitors may see: the registry's text, or only `INTERNAL_ERROR` for anything
 * unforeseen.
 */
function toFailure(error: Error & {readonly code?: string; readonly statusCode?: number}): Failure {
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
  return JSON.stringify({error: {code, message}})
}
