import http, {METHODS} from 'node:http'
import cors from '@fastify/cors'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onSendHookHandler,
} from 'fastify'
import {answerClientErrors} from '../../common/http/clientErrors.ts'
import {logFailure, logRefusal, nameRequest} from '../../common/http/failedRequests.ts'
import {followRequests, requestId} from '../../common/http/requestId.ts'
import {type ErrorCode, errors, isErrorCode, UpstreamError} from '../errors.ts'
import {clientsBehind} from '../limits/clients.ts'
import {RequestCounts, rateLimits} from '../limits/rateLimit.ts'
import {messagesIn} from '../upstream/upstreamFailure.ts'
import {CORS_OPTIONS} from './cors.ts'
import {closeConnectionsWhileDraining} from './drain.ts'
import {hotPath} from './hotPath.ts'
import type {Parts} from './parts.ts'
import {configRoute} from './routes/config.ts'
import {countAnswers, operationsRoutes} from './routes/operations.ts'
import {previewRoutes} from './routes/preview.ts'
import {reportRoutes} from './routes/reports.ts'
import {sanityWebhookRoute} from './routes/sanityWebhook.ts'
import {scriptModuleRoute} from './routes/scriptModule.ts'
import {snippetRoutes} from './routes/snippet.ts'
import {MAX_IDLE, type RequestTimeouts, SERVER_LIMITS} from './serverLimits.ts'

/** Maximum open connections, each of some 30 kB. The proxy in front limits those of a client. */
const MAX_CONNECTIONS = 10_000

/** Creates the public HTTP server with all routes. It does not listen yet. */
export async function createServer(
  log: FastifyBaseLogger,
  parts: Parts,
  timeouts?: RequestTimeouts,
): Promise<FastifyInstance> {
  const {sites, settings, events} = parts
  const {rateLimitMax, trustedProxies} = settings
  const counts = new RequestCounts(rateLimitMax, parts.shared)
  const clientOf = clientsBehind(trustedProxies, log)
  const isAnswered = hotPath(parts, counts, clientOf)
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({disableRequestLogging: true}),
    genReqId: requestId,
    serverFactory: (handler) =>
      http.createServer({...SERVER_LIMITS, ...timeouts}, (request, response) => {
        if (!isAnswered(request, response)) handler(request, response)
      }),
    forceCloseConnections: 'idle',
    // Requests on a closing connection are handled like any other.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    frameworkErrors: sendFailure,
    clientErrorHandler: answerClientErrors({log, answer: clientFailure}),
  })
  app.server.maxConnections = MAX_CONNECTIONS
  app.server.on('drop', () => events.emit('connectionRefused')).setTimeout(MAX_IDLE)
  followRequests(app)
  knowEveryMethod(app)
  answerFailures(app)
  countAnswers(app, parts)
  closeConnectionsWhileDraining(app, parts)
  await app.register(cors, CORS_OPTIONS)
  refuseBodies(app)
  const limits = await rateLimits(app, rateLimitMax, counts, clientOf, sites)
  await refuseOtherMethods(app, () => {
    configRoute(app, parts, limits)
    scriptModuleRoute(app, parts, limits)
    previewRoutes(app, parts, limits)
    reportRoutes(app, parts, limits)
    snippetRoutes(app, parts)
    sanityWebhookRoute(app, parts, limits)
    operationsRoutes(app, parts)
  })
  return app
}

/** Registers every method that Node parses, so that a wrong method can be told apart from a 404. */
function knowEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
}

/**
 * Adds routes, and returns 405 with `Allow` for each method that a URL of them does not support (RFC 9110 §15.5.6). OPTIONS is
 * handled everywhere as a preflight.
 */
async function refuseOtherMethods(app: FastifyInstance, addRoutes: () => void): Promise<void> {
  const allowed = new Map<string, Set<string>>()
  app.addHook('onRoute', (route) => {
    const {url, method, onSend = []} = route
    allowed.set(url, new Set([...(allowed.get(url) ?? []), method].flat()))
    if (method === 'HEAD') route.onSend = [onSend, withoutLengthOf304].flat()
  })
  addRoutes()
  await app.after()
  for (const [url, methods] of [...allowed]) {
    const known = ['GET', 'HEAD', 'POST'].filter((method) => methods.has(method))
    app.route({
      method: app.supportedMethods.filter((method) => method !== 'OPTIONS' && !known.includes(method)),
      url,
      // Checked before the body is read: with a wrong method, the body does not matter.
      onRequest: (_request, reply, done) => {
        reply.header('allow', [...known, 'OPTIONS'].join(', '))
        done(new errors.METHOD_NOT_ALLOWED(known.join(' or ')))
      },
      handler: () => {},
    })
  }
}

/** Fastify gives each response to HEAD a length. That of a 304 would have to be that of the 200 (RFC 9110 §8.6). */
const withoutLengthOf304: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length')
  done(null, payload)
}

type Failure = {readonly statusCode: number; readonly code: ErrorCode; readonly message: string}

/** Returns every error in the same format: a coded body that any origin may read and no cache may store. */
function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler<Error>((error, request, reply) => sendFailure(error, request, reply))
  app.setNotFoundHandler((request, reply) => sendFailure(nothingHere(), request, reply))
}

/**
 * Reads request bodies only on routes that accept one. Otherwise Fastify reads and parses up to 1 MB before
 * it returns a 404.
 */
function refuseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? nothingHere() : undefined))
}

/** Sends an error response. Also used for errors before routing, when no hook has run. */
function sendFailure(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
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
function clientFailure(status: keyof typeof clientErrors) {
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
