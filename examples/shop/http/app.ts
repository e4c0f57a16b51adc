import {fileURLToPath} from 'node:url'
import fastifyStatic from '@fastify/static'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  LogController,
} from 'fastify'
import {errors} from '../errors.ts'
import {type Frame, layout} from '../pages/layout.ts'
import {Store} from '../store/store.ts'
import {apiRoutes} from './api.ts'
import {sendFailure} from './failures.ts'
import {formRoutes} from './forms.ts'
import {fieldsOf, inputError} from './input.ts'
import {pageRoutes} from './pages.ts'
import {refuseForeignPages, securityHeaders} from './security.ts'
import type {Show} from './show.ts'
import {visitorOf} from './visitor.ts'

/** Maximum body size in bytes: a message of 5,000 characters, all percent-encoded. */
const BODY_LIMIT = 64 * 1024

/** Timeout for receiving a request, in milliseconds. */
const REQUEST_TIMEOUT = 10_000

const assets = fileURLToPath(new URL('../assets', import.meta.url))

/** Creates the shop's server with a new store. It does not listen yet. */
export async function buildApp(
  site: Omit<Frame, 'cartCount'>,
  logger: FastifyBaseLogger,
): Promise<FastifyInstance> {
  const store = new Store()
  const headers = securityHeaders(site.serviceOrigin)
  const show: Show = (request, reply, page) => {
    const {count: cartCount} = store.cartOf(visitorOf(request, store.carts))
    return reply.type('text/html; charset=utf-8').send(layout(page, {...site, cartCount}))
  }
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({disableRequestLogging: true}),
    bodyLimit: BODY_LIMIT,
    schemaErrorFormatter: inputError,
    routerOptions: {querystringParser: fieldsOf},
    requestTimeout: REQUEST_TIMEOUT,
    forceCloseConnections: 'idle',
    // Called before routing, when no hook has run.
    frameworkErrors: (error, request, reply) => sendFailure(error, request, reply.headers(headers), show),
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    refuseForeignPages(request)
  })
  app.setErrorHandler<FastifyError>((error, request, reply) => sendFailure(error, request, reply, show))
  app.setNotFoundHandler(() => {
    throw new errors.NOT_FOUND('There is nothing at this URL.')
  })
  app.removeContentTypeParser('text/plain')
  await app.register(fastifyStatic, {root: assets, prefix: '/assets/', index: false, maxAge: 0})
  apiRoutes(app, store)
  formRoutes(app, store, show)
  pageRoutes(app, store, show)
  return app
}
