import http from 'node:http'
import cors from '@fastify/cors'
import fastify, {type FastifyBaseLogger, type FastifyInstance, LogController} from 'fastify'
import {answerClientErrors} from '../../common/http/clientErrors.ts'
import {followRequests, requestId} from '../../common/http/requestId.ts'
import {clientsBehind} from '../limits/clients.ts'
import {RequestCounts, rateLimits} from '../limits/rateLimit.ts'
import {CORS_OPTIONS} from './cors.ts'
import {closeConnectionsWhileDraining} from './drain.ts'
import {answerFailures, clientFailure, refuseBodies, sendFailure} from './failures.ts'
import {hotPath} from './hotPath.ts'
import {knowEveryMethod, refuseOtherMethods} from './methods.ts'
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
