import cors from '@fastify/cors'
import fastify, {type FastifyBaseLogger, type FastifyInstance, LogController} from 'fastify'
import {type ConfigRouteOptions, configRoute, knowEveryMethod} from './config.ts'
import {answerClientError, answerFailures, sendFailure} from './failures.ts'

/** Milliseconds for a request to arrive whole. */
const REQUEST_TIMEOUT = 10_000

/** Milliseconds that an idle connection is kept: longer than the minute that common proxies keep theirs. */
const KEEP_ALIVE_TIMEOUT = 72_000

/** Seconds for which a browser may remember a preflight. Chromium's own limit is two hours. */
const PREFLIGHT_MAX_AGE = 7_200

/** The public HTTP server, with every route, not yet listening. */
export async function createServer(
  log: FastifyBaseLogger,
  options: ConfigRouteOptions,
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({disableRequestLogging: true}),
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    forceCloseConnections: 'idle',
    frameworkErrors: sendFailure,
    clientErrorHandler: answerClientError,
  })
  knowEveryMethod(app)
  answerFailures(app)
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
  await configRoute(app, options)
  return app
}
