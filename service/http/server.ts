import cors from '@fastify/cors'
import fastify, {type FastifyBaseLogger, type FastifyInstance, LogController} from 'fastify'
import {type ConfigRouteOptions, configRoute} from './config.ts'
import {boundConnections} from './connections.ts'
import {partWhileDraining} from './drain.ts'
import {answerClientError, answerFailures, sendFailure} from './failures.ts'
import {knowEveryMethod} from './methods.ts'
import {collectSchemas, describeOnly, openApiRoute} from './openapi.ts'
import {countAnswers, type OperationsRouteOptions, operationsRoutes} from './operations.ts'
import {type Limits, limitPerSite} from './rateLimit.ts'
import {type SanityWebhookRouteOptions, sanityWebhookRoute} from './sanityWebhook.ts'
import {scriptModuleRoute} from './scriptModule.ts'
import {serverLimits} from './serverLimits.ts'
import {type BuiltSnippet, snippetRoutes} from './snippet.ts'
import type {KnownIds} from './unknownIds.ts'

/** Seconds for which a browser may remember a preflight. Chromium's own limit is two hours. */
const PREFLIGHT_MAX_AGE = 7_200

export type ServerOptions = Omit<
  ConfigRouteOptions & SanityWebhookRouteOptions & OperationsRouteOptions,
  'limit' | 'ages'
> & {
  sites: KnownIds
  limits: Limits
  snippet: BuiltSnippet
}

/** The public HTTP server, with every route, not yet listening. */
export async function createServer(
  log: FastifyBaseLogger,
  {sites, bodies, limits, snippet, webhook, events, metrics, readiness, clock}: ServerOptions,
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({disableRequestLogging: true}),
    ...serverLimits,
    forceCloseConnections: 'idle',
    // What arrives on a connection while it closes is answered like any other request.
    return503OnClosing: false,
    trustProxy: limits.trustedProxies.length > 0 && [...limits.trustedProxies],
    frameworkErrors: sendFailure,
    clientErrorHandler: answerClientError,
  })
  boundConnections(app.server, {...limits, events})
  knowEveryMethod(app)
  answerFailures(app)
  describeOnly(app)
  await collectSchemas(app)
  countAnswers(app, metrics)
  partWhileDraining(app, readiness)
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD'],
    // Not safelisted (Fetch §4.10): a snippet that sends it cross-origin is asked for by a preflight first.
    allowedHeaders: ['If-None-Match'],
    exposedHeaders: ['ETag', 'Age', 'Retry-After'],
    maxAge: PREFLIGHT_MAX_AGE,
    // A stray OPTIONS is answered like a preflight instead of with an error.
    strictPreflight: false,
  })
  const limit = await limitPerSite(app, limits, sites)
  configRoute(app, {sites, bodies, limit, ages: metrics.ages, clock})
  scriptModuleRoute(app, {sites, limit})
  await snippetRoutes(app, snippet)
  sanityWebhookRoute(app, {webhook, limit, events})
  operationsRoutes(app, {metrics, readiness})
  openApiRoute(app)
  return app
}
