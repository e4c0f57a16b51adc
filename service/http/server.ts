import http from 'node:http'
import cors from '@fastify/cors'
import fastify, {type FastifyBaseLogger, type FastifyInstance, LogController} from 'fastify'
import {answerClientErrors} from '../../common/http/clientErrors.ts'
import {checkRequestHeaders, hasValidHost} from '../../common/http/requestHeaders.ts'
import {followRequests, requestId} from '../../common/http/requestId.ts'
import {limitConnections} from '../../common/limits/connectionLimits.ts'
import {clientsBehind} from '../limits/clients.ts'
import {limitPreviews} from '../limits/previewLimits.ts'
import {type Limits, limitPerSite} from '../limits/rateLimit.ts'
import {limitReports} from '../limits/reportLimits.ts'
import {RequestCounts} from '../limits/requestCounts.ts'
import type {KnownIds} from '../limits/unknownIds.ts'
import {CORS_OPTIONS} from './cors.ts'
import {closeConnectionsWhileDraining} from './drain.ts'
import {answerFailures, clientFailure, refuseBodies, sendFailure} from './failures.ts'
import {type HotPathOptions, hotPath} from './hotPath.ts'
import {closeIdleConnections} from './idleConnections.ts'
import {knowEveryMethod} from './methods.ts'
import type {PageScripts} from './pageScripts.ts'
import {type CallsRouteOptions, callsRoutes} from './routes/calls.ts'
import {type ConfigRouteOptions, configRoute} from './routes/config.ts'
import {countAnswers, type OperationsRouteOptions, operationsRoutes} from './routes/operations.ts'
import {type PreviewRouteOptions, previewRoutes} from './routes/preview.ts'
import {type SanityWebhookRouteOptions, sanityWebhookRoute} from './routes/sanityWebhook.ts'
import {scriptModuleRoute} from './routes/scriptModule.ts'
import {type SnippetRouteOptions, snippetRoutes} from './routes/snippet.ts'
import {type VisitsRouteOptions, visitsRoute} from './routes/visits.ts'
import {type RequestTimeouts, SERVER_LIMITS} from './serverLimits.ts'

type ServerOptions = Omit<
  ConfigRouteOptions &
    HotPathOptions &
    SanityWebhookRouteOptions &
    OperationsRouteOptions &
    PreviewRouteOptions &
    VisitsRouteOptions &
    CallsRouteOptions,
  'limit' | 'reportLimit' | 'ages' | 'counts' | 'clientOf'
> & {
  readonly sites: KnownIds
  readonly limits: Limits
  readonly scripts: PageScripts
  readonly builds: SnippetRouteOptions['builds']
  readonly timeouts?: RequestTimeouts | undefined
}

/** Creates the public HTTP server with all routes. It does not listen yet. */
export async function createServer(log: FastifyBaseLogger, options: ServerOptions): Promise<FastifyInstance> {
  const {sites, limits, timeouts, events, metrics, readiness} = options
  const answers = {...options, ages: metrics.ages}
  const counts = new RequestCounts(limits, limits.shared)
  const clientOf = clientsBehind(limits.trustedProxies, log)
  const isAnswered = hotPath({...answers, counts, clientOf})
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({disableRequestLogging: true}),
    genReqId: requestId,
    serverFactory: (handler) =>
      http.createServer({...SERVER_LIMITS, ...timeouts}, (request, response) => {
        if (!hasValidHost(request) || !isAnswered(request, response)) handler(request, response)
      }),
    forceCloseConnections: 'idle',
    // Requests on a closing connection are handled like any other.
    return503OnClosing: false,
    trustProxy: limits.trustedProxies.length > 0 && [...limits.trustedProxies],
    frameworkErrors: sendFailure,
    clientErrorHandler: answerClientErrors({log, answer: clientFailure}),
  })
  limitConnections(app.server, {
    ...limits,
    onRefused: (limit, address) => events.emit('connectionRefused', limit, address),
  })
  closeIdleConnections(app.server)
  followRequests(app)
  knowEveryMethod(app)
  answerFailures(app)
  checkRequestHeaders(app, (status, message) => Object.assign(new Error(message), {statusCode: status}))
  countAnswers(app, metrics)
  closeConnectionsWhileDraining(app, readiness)
  await app.register(cors, CORS_OPTIONS)
  refuseBodies(app)
  const limit = await limitPerSite(app, limits, {counts, clientOf, sites})
  configRoute(app, {...answers, limit})
  scriptModuleRoute(app, {sites, limit})
  const previewLimit = limitPreviews(limits)
  previewRoutes(app, {...options, limit: previewLimit})
  visitsRoute(app, {...options, limit: previewLimit})
  callsRoutes(app, {...options, limit: previewLimit, reportLimit: limitReports(limits, sites)})
  snippetRoutes(app, options)
  sanityWebhookRoute(app, {...options, limit})
  operationsRoutes(app, options)
  return app
}
