import type {FastifyInstance, FastifyRequest} from 'fastify'
import type {Access} from '../access/access.ts'

/** How long browsers may cache a preflight, in seconds. Chromium's limit is two hours. */
const PREFLIGHT_MAX_AGE = 7_200

const ANY_ORIGIN = {'access-control-allow-origin': '*'}

/** What pages may send to published reads. A token is not an ambient credential: the page must know it. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST',
  'access-control-allow-headers':
    'Authorization, Cache-Control, Content-Type, Last-Event-ID, X-Sanity-Project-ID',
  'access-control-max-age': String(PREFLIGHT_MAX_AGE),
}

/**
 * Lets pages of any origin use the published reads of a public lake, without cookies: no response allows
 * credentials, so the session of an editor works on the lake's own pages only. Call this before you add any
 * route, and before the hook that refuses requests, so that pages can read its errors.
 */
export function allowOtherOrigins(app: FastifyInstance, access: Access): void {
  app.addHook('onRoute', ({url, method, config}) => {
    if (access.isPrivate || config?.access !== 'published' || method !== 'GET') return
    app.options(url, {config: {access: 'open'}}, (_request, reply) =>
      reply.code(204).headers(ANY_ORIGIN).headers(PREFLIGHT_HEADERS).send(),
    )
  })

  app.addHook('onRequest', async (request, {raw}) => {
    if (access.isPrivate || request.routeOptions.config.access !== 'published') return
    // Set on the raw response, since event streams do not use Fastify's headers.
    if (access.sessionSecret(request) === undefined)
      for (const [name, value] of Object.entries(ANY_ORIGIN)) raw.setHeader(name, value)
  })
}

/**
 * `GET /check/cors`: whether pages of an origin may use the lake. Clients ask this when an event stream
 * fails, because browsers do not tell them why.
 */
export function checkCorsRoute(app: FastifyInstance, access: Access): void {
  const isOwn = (request: FastifyRequest) =>
    request.headers.origin === undefined || request.headers.origin === access.originOf(request)
  app.get('/v:version/check/cors', {config: {access: 'open'}}, (request, reply) =>
    reply
      .headers(ANY_ORIGIN)
      .send({result: {allowed: isOwn(request) || !access.isPrivate, withCredentials: isOwn(request)}}),
  )
}
