import type {IncomingMessage} from 'node:http'
import {pipeline, Readable} from 'node:stream'
import {promisify} from 'node:util'
import {createGzip, gzip} from 'node:zlib'
import {negotiate} from '@fastify/accept-negotiator'
import rateLimit from '@fastify/rate-limit'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
  LogController,
} from 'fastify'
import {answerClientErrors} from '../../common/http/clientErrors.ts'
import {logFailure, logRefusal, nameRequest} from '../../common/http/failedRequests.ts'
import {requestId} from '../../common/http/requestId.ts'
import {trustOf} from '../../common/limits/clientKey.ts'
import {StateError} from '../../content/state/state.ts'
import type {Applied} from '../../content/store.ts'
import type {Access} from '../access/access.ts'
import {HttpError} from '../errors.ts'
import {clientFailure, codeIn, queryErrorBody, refuse} from './errors.ts'
import {EventStreams} from './events/eventStream.ts'
import {listenRoute} from './events/listen.ts'
import {LiveEvents, liveRoute} from './events/live.ts'
import {gateRoutes, type RouteAccess, SMALL_BODY} from './gate.ts'
import {clientOf, warnOfUntrustedProxies} from './limits/client.ts'
import {limitConnections, SERVER_LIMITS} from './limits/connections.ts'
import {countUnsentResponses, UnsentBytes} from './limits/unsentBytes.ts'
import type {LakeContext} from './request.ts'
import {docRoute, exportRoute} from './routes/doc.ts'
import {loginRoutes} from './routes/login.ts'
import {queryRoute} from './routes/query.ts'

/** Maximum length of a list of ids in a path. Node accepts no longer request line. */
const MAX_PARAM_LENGTH = 16_000

/** The lake's HTTP server. */
export type LakeApp = {
  readonly app: FastifyInstance
  /** Response bytes that clients have not read yet. */
  readonly unsent: UnsentBytes
  /** Notifies listeners of a transaction. Call it after the store has applied it. */
  publish(applied: Applied): void
}

export type AppOptions = {
  /** Proxies whose `X-Forwarded-For` identifies the client. Default: none. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Limits of requests that arrive slowly. Default: those of {@link SERVER_LIMITS}. */
  readonly http?: Partial<typeof SERVER_LIMITS.http>
}

/**
 * `GET /check/cors`: whether pages of an origin may use the lake. Only its own may. Clients ask this when an event
 * stream fails, because browsers do not tell them why.
 */
function checkCorsRoute(app: FastifyInstance, access: Access): void {
  app.get('/v:version/check/cors', {config: {access: 'open'}}, (request, reply) => {
    const {origin} = request.headers
    const isOwn = origin === undefined || origin === access.originOf(request)
    return reply
      .header('access-control-allow-origin', '*')
      .send({result: {allowed: isOwn, withCredentials: isOwn}})
  })
}

/** Refuses an address that cannot be decoded, of which hooks do not know. */
function refuseAddress({code, message}: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  nameRequest(request, reply)
  logRefusal(request.log, 400, () => ({code}))
  reply.code(400).send(new HttpError(400, message).body)
}

/** Builds the server of Sanity's HTTP API over a store. It does not listen yet. */
export async function buildApp(
  context: LakeContext,
  logger: FastifyBaseLogger,
  {trustedProxies = [], http}: AppOptions = {},
): Promise<LakeApp> {
  const isTrusted = trustOf(trustedProxies)
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({disableRequestLogging: true}),
    genReqId: requestId,
    clientErrorHandler: answerClientErrors({log: logger, answer: clientFailure}),
    frameworkErrors: refuseAddress,
    ...SERVER_LIMITS,
    http: {...SERVER_LIMITS.http, ...http},
    bodyLimit: SMALL_BODY,
    routerOptions: {maxParamLength: MAX_PARAM_LENGTH},
    rewriteUrl: routedAddress,
    trustProxy: trustedProxies.length > 0 && isTrusted,
  })
  limitConnections(app, {access: context.access, trustedProxies})
  warnOfUntrustedProxies(app, isTrusted)
  // Before responses are compressed.
  app.addHook('onSend', (request, reply, payload, done) => {
    const {statusCode: status} = reply
    if (status >= 400) nameRequest(request, reply)
    if (status >= 400 && status < 500)
      logRefusal(request.log, status, () => ({
        code: codeIn(payload, status),
        route: request.routeOptions.url,
      }))
    done()
  })
  compressResponses(app)
  const unsent = new UnsentBytes()
  countUnsentResponses(app, unsent)
  const streams = new EventStreams(unsent, context.access)
  app.addHook('preClose', async () => streams.close())

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof HttpError) {
      const {cause: err, message: reason} = error
      if (error.statusCode >= 500) logFailure(request, err === undefined ? {reason} : {err})
      return reply.code(error.statusCode).headers(error.headers).send(error.body)
    }
    if (error instanceof StateError) {
      logFailure(request, {reason: error.message})
      return reply.code(503).send(refuse.databaseUnavailable().body)
    }
    const query = queryErrorBody(error)
    if (query !== undefined) return reply.code(400).send(query)
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    if (status >= 400 && status < 500 && error instanceof Error) {
      return reply.code(status).send(new HttpError(status, error.message).body)
    }
    logFailure(request, {err: error})
    return reply.code(500).send(new HttpError(500, 'An internal server error occurred').body)
  })
  app.setNotFoundHandler(() => {
    throw refuse.notFound()
  })

  gateRoutes(app, context.access)
  parseJsonBodies(app)
  // Rate limits are set per route: signing in, and webhook deliveries.
  await app.register(rateLimit, {global: false, keyGenerator: clientOf})
  app.get('/healthz', {config: {access: 'open'}}, () => ({status: 'ok'}))
  await loginRoutes(app, context.access)
  const events = new LiveEvents()
  queryRoute(app, context, events)
  docRoute(app, context)
  exportRoute(app, context)
  notOfferedRoutes(app)
  checkCorsRoute(app, context.access)
  const listeners = [listenRoute(app, context, streams), liveRoute(app, context, streams, events)]
  return {
    app,
    unsent,
    publish: (applied) => {
      for (const listener of listeners) listener(applied)
    },
  }
}

/** Parses JSON bodies. One with a content coding is refused (RFC 9110 §15.5.16). */
function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', {parseAs: 'string'}, (request, body, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') {
      done(refuse.encodedBody(encoding))
      return
    }
    void parse(request, body, done)
  })
}

/** Parts of Sanity's API that a lake does not have, with what to use instead. docs/sanity.md repeats the list. */
const MISSING: [method: HTTPMethods, path: string, access: RouteAccess, message: string][] = [
  [
    'POST',
    '/assets/:kind/:dataset',
    'write',
    'This lake stores no assets: publish files on your website, and store their addresses',
  ],
  ['GET', '/graphql/*', 'read', 'This lake has no GraphQL: use GROQ'],
  ['POST', '/graphql/*', 'read', 'This lake has no GraphQL: use GROQ'],
  ['POST', '/agent/*', 'write', 'This lake has no agent actions'],
]

/** Responds to these requests with an error that says so, instead of "Resource not found". */
function notOfferedRoutes(app: FastifyInstance): void {
  for (const [method, url, access, message] of MISSING) {
    const onRequest = async () => {
      throw refuse.notFound(message)
    }
    app.route({method, url: `/v:version${url}`, config: {access}, onRequest, handler: () => {}})
  }
}

/** Operations on a dataset, by the names that all forms of an address share. */
const DATASET_ADDRESS =
  /^(\/v[^/?]+)\/projects\/([^/?]+)\/datasets\/([^/?]+)\/(query|doc|mutate|actions|listen|live\/events|export|history)(?=[/?]|$)/

/**
 * Converts an API address to the form in which its route is declared: without duplicate and trailing slashes
 * (`//v2024-01-01/…`), which some of Sanity's programs send, and with `/data/query/:dataset` instead of
 * `/projects/:project/datasets/:dataset/query`, which clients with a `resource` send.
 */
function routedAddress(request: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const {url = '/', headers} = request
  if (!/^\/+v[\dX]/.test(url)) return url
  const search = url.indexOf('?')
  const [path, query] = search < 0 ? [url, ''] : [url.slice(0, search), url.slice(search)]
  const clean = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  return (
    clean.replace(
      DATASET_ADDRESS,
      (_match, version: string, project: string, dataset: string, operation: string) => {
        // Clients that do not name the project in the path or in the host name it here.
        headers['x-sanity-project-id'] = decoded(project)
        return `${version}/data/${operation}/${dataset}`
      },
    ) + query
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Shorter responses fit into one packet. */
const MIN_BYTES = 1_024

/** Favors speed: JSON of documents takes a fifth of its size, at 100 MB a second. */
const OPTIONS = {level: 3}

const compress = promisify<Buffer, typeof OPTIONS, Buffer>(gzip)

/**
 * Compresses JSON for clients that accept gzip. Event streams are sent as they are, since each event must
 * arrive at once.
 *
 * BREACH, which guesses secrets from the lengths of compressed responses, needs a page that makes a browser
 * send requests with a session. The lake accepts a session from its own pages only, and browsers do not send
 * tokens on their own.
 */
function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (!/^application\/(x-nd)?json/.test(String(reply.getHeader('content-type')))) return payload
    vary(reply, 'accept-encoding')
    // Without the header, any encoding may be sent, but a program without one may not decompress.
    const field = request.headers['accept-encoding']
    if (field === undefined || negotiate(field, ['gzip']) === null) return payload
    if (payload instanceof Readable) {
      reply.header('content-encoding', 'gzip')
      // An error destroys both streams, and with them the response.
      return pipeline(payload, createGzip(OPTIONS), () => {})
    }
    if (typeof payload !== 'string' || payload.length < MIN_BYTES) return payload
    reply.header('content-encoding', 'gzip')
    return compress(Buffer.from(payload), OPTIONS)
  })
}

/** Adds a name to the `Vary` header. */
function vary(reply: FastifyReply, name: string): void {
  const given = reply.getHeader('vary')
  reply.header('vary', given === undefined ? name : `${given}, ${name}`)
}
