import type {FastifyInstance, FastifyRequest} from 'fastify'
import type {Access} from '../access/access.ts'
import type {Principal} from '../access/principal.ts'
import type {Permission} from '../access/rights/rights.ts'
import {STRICT_TRANSPORT} from '../page.ts'
import {refuse} from './errors.ts'
import {concurrencyLimit} from './limits/concurrencyLimit.ts'

/** Who may use a route. `open`: everyone. Otherwise a session or a token with that permission. */
export type RouteAccess = 'open' | Permission

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required for every route: {@link gateRoutes} refuses a route without it. */
    access?: RouteAccess
  }
  interface FastifyRequest {
    /** Whom the gate admitted; undefined on open routes. */
    principal?: Principal
  }
}

/**
 * Bodies up to this size are not counted, because the connection limit bounds them. Sign-in forms are this
 * small.
 */
export const SMALL_BODY = 16 * 1024

const MIB = 1024 * 1024
/**
 * Bytes of bodies in progress, for one authenticated principal and for all. Parsed JSON takes up to twenty
 * times as much.
 */
const KNOWN_BODIES = {perClient: 16 * MIB, total: 64 * MIB}

/**
 * Authorizes every request before its body is read, by the `access` in the `config` of its route. Call this
 * before you add any route.
 */
export function gateRoutes(app: FastifyInstance, access: Access): void {
  app.addHook('onRoute', ({method, url, config}) => {
    if (config?.access === undefined) throw new Error(`${method} ${url} does not declare who may use it`)
  })

  app.decorateRequest('principal')

  const tooMany = () => refuse.tooMuch('Too many uploads at the same time', 1)
  const admitKnown = concurrencyLimit({
    ...KNOWN_BODIES,
    clientOf: (request) => request.principal?.id ?? '',
    weightOf: bodySize,
    refuse: tooMany,
  })

  app.addHook('onRequest', async (request, reply) => {
    reply.raw.setHeader('x-content-type-options', 'nosniff')
    if (access.isSecure) reply.raw.setHeader(...STRICT_TRANSPORT)
    // See below: the client must know that it cannot use the connection again.
    if (request.raw.headers.upgrade !== undefined) reply.raw.setHeader('connection', 'close')
    if (request.is404) throw refuse.notFound()
    const needed = request.routeOptions.config.access ?? 'read'
    // A page of another origin could learn something about the response by loading it in an `<object>` or as a script.
    // On the raw response, since event streams do not use Fastify's headers.
    reply.raw.setHeader('cross-origin-resource-policy', 'same-origin')
    const principal = needed === 'open' ? undefined : await access.require(request, needed)
    if (principal !== undefined) request.principal = principal
    // Open routes take small bodies only.
    if (bodySize(request) > SMALL_BODY) admitKnown(request, reply)
  })
  // On an upgrade, Node leaves the connection to its handler: a refused one would stay open without this.
  app.addHook('onResponse', async ({raw}) => {
    if (raw.headers.upgrade !== undefined) raw.socket.destroySoon()
  })
}

/**
 * Returns whom the gate admitted, with the permission that the route declares.
 * @throws Error on an open route
 */
export function admitted({principal}: FastifyRequest): Principal {
  if (principal === undefined) throw new Error('An open route admits everyone, and has no principal')
  return principal
}

/**
 * The bytes that a request's body may take in memory. Without a `Content-Length`, this is the route's body
 * limit.
 */
function bodySize({method, headers, routeOptions}: FastifyRequest): number {
  if (method === 'GET' || method === 'HEAD') return 0
  const {bodyLimit = 0} = routeOptions
  if (headers['transfer-encoding'] !== undefined) return bodyLimit
  return Math.min(Number(headers['content-length'] ?? 0), bodyLimit)
}
