import http from 'node:http'
import cors from '@fastify/cors'
import fastify, {type FastifyBaseLogger, type FastifyInstance, LogController} from 'fastify'
import {answerClientErrors} from '../../common/http/clientErrors.ts'
import {followRequests, requestId} from '../../common/http/requestId.ts'
import {clientsBehind} from '../limits/clients.ts'
import {type KnownIds, RequestCounts, rateLimits} from '../limits/rateLimit.ts'
import type {SharedCounts} from '../limits/sharedCounts.ts'
import type {ServiceSettings} from '../settings.ts'
import {CORS_OPTIONS} from './cors.ts'
import {closeConnectionsWhileDraining} from './drain.ts'
import {answerFailures, clientFailure, refuseBodies, sendFailure} from './failures.ts'
import {type HotPathOptions, hotPath} from './hotPath.ts'
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
import {MAX_IDLE, type RequestTimeouts, SERVER_LIMITS} from './serverLimits.ts'

/** Maximum open connections, each of some 30 kB. The proxy in front limits those of a client. */
const MAX_CONNECTIONS = 10_000

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
  readonly settings: Pick<ServiceSettings, 'rateLimitMax' | 'trustedProxies'>
  /** The counts of all replicas, if they share a limit. */
  readonly shared?: SharedCounts | undefined
  readonly scripts: PageScripts
  readonly builds: SnippetRouteOptions['builds']
  readonly timeouts?: RequestTimeouts | undefined
}

/** Creates the public HTTP server with all routes. It does not listen yet. */
export async function createServer(log: FastifyBaseLogger, options: ServerOptions): Promise<FastifyInstance> {
  const {sites, settings, shared, timeouts, events, metrics, readiness} = options
  const {rateLimitMax, trustedProxies} = settings
  const answers = {...options, ages: metrics.requests.ages}
  const counts = new RequestCounts(rateLimitMax, shared)
  const clientOf = clientsBehind(trustedProxies, log)
  const isAnswered = hotPath({...answers, counts, clientOf})
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
  countAnswers(app, metrics)
  closeConnectionsWhileDraining(app, readiness)
  await app.register(cors, CORS_OPTIONS)
  refuseBodies(app)
  const {perSite: limit, previews, reports} = await rateLimits(app, settings, {counts, clientOf, sites})
  configRoute(app, {...answers, limit})
  scriptModuleRoute(app, {sites, limit})
  previewRoutes(app, {...options, limit: previews})
  visitsRoute(app, {...options, limit: previews})
  callsRoutes(app, {...options, limit: previews, reportLimit: reports})
  snippetRoutes(app, options)
  sanityWebhookRoute(app, {...options, limit})
  operationsRoutes(app, options)
  return app
}
