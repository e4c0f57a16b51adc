import {METHODS} from 'node:http'
import rateLimit from '@fastify/rate-limit'
import type {FastifyInstance, FastifyRequest} from 'fastify'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import type {Bodies} from '../cache/bodies.ts'
import type {KnownSite} from '../cache/sites.ts'
import {errors} from '../errors.ts'
import type {ServiceSettings} from '../settings.ts'
import {configFor} from '../site/answer.ts'
import {matchesEntityTag} from './conditional.ts'
import {unknownSite} from './failures.ts'

const CONFIG_URL = '/api/sites/:publicId/config'

/** Specification §4, Caching 2. `Age` counts against it, so no cache on the way adds a second minute. */
const CACHE_CONTROL = 'public, max-age=60'

/** Characters of a page path: what one decision in linear time is promised for. */
const MAX_PATH_LENGTH = 2_048

/** Counters of (site, client address) pairs kept at once. */
const MAX_COUNTERS = 50_000

export type ConfigRouteOptions = {
  sites: {get(publicId: string): Promise<KnownSite>}
  bodies: Pick<Bodies, 'bodyOf'>
  limits: Pick<ServiceSettings, 'rateLimitMax' | 'rateLimitWindowSeconds'>
  clock?: () => number
}

/** `GET /api/sites/:publicId/config` (specification §4). */
export async function configRoute(
  app: FastifyInstance,
  {sites, bodies, limits, clock = Date.now}: ConfigRouteOptions,
): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    max: limits.rateLimitMax,
    timeWindow: limits.rateLimitWindowSeconds * 1_000,
    cache: MAX_COUNTERS,
    // A key of the site alone would let one visitor shut out all others.
    keyGenerator: (request) => `${publicIdOf(request)} ${request.ip}`,
    errorResponseBuilder: (_request, {ttl}) => new errors.RATE_LIMITED(Math.ceil(ttl / 1_000)),
    // Counters on a cacheable answer would be everybody's.
    addHeaders: NO_COUNTERS,
    addHeadersOnExceeding: NO_COUNTERS,
  })

  app.get(CONFIG_URL, {config: {rateLimit: {}}}, async (request, reply) => {
    const path = pathOf(request)
    const publicId = parsePublicId(publicIdOf(request))
    if (!publicId.ok) throw unknownSite()
    const {site, validatedAt} = await sites.get(publicId.value)
    if (!site) throw unknownSite()

    const config = configFor(site, path)
    reply
      .header('cache-control', CACHE_CONTROL)
      .header('etag', config.entityTag)
      .header('age', Math.max(0, Math.floor((clock() - validatedAt) / 1_000)))
    const condition = request.headers['if-none-match']
    if (condition !== undefined && matchesEntityTag(condition, config.entityTag))
      return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(bodies.bodyOf(config))
  })

  const otherMethods = app.supportedMethods.filter((method) => !ALLOWED.includes(method))
  app.route({
    method: otherMethods,
    url: CONFIG_URL,
    // Before the body is read: whatever it holds, the method is what is wrong.
    onRequest: (_request, reply, done) => {
      reply.header('allow', ALLOWED.join(', '))
      done(new errors.METHOD_NOT_ALLOWED())
    },
    handler: () => {},
  })
}

/** Makes the router know every method that Node parses, so that each other one can be told apart from a 404. */
export function knowEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
}

const ALLOWED = ['GET', 'HEAD', 'OPTIONS']

const NO_COUNTERS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
}

function publicIdOf(request: FastifyRequest): string {
  const {params} = request
  const hasId = typeof params === 'object' && params !== null && 'publicId' in params
  return hasId && typeof params.publicId === 'string' ? params.publicId : ''
}

function pathOf({query}: FastifyRequest): string | undefined {
  const path = typeof query === 'object' && query !== null && 'path' in query ? query.path : undefined
  if (path === undefined) return undefined
  if (typeof path !== 'string') throw new errors.BAD_REQUEST('"path" is given more than once.')
  if (path.length > MAX_PATH_LENGTH)
    throw new errors.BAD_REQUEST(`"path" is longer than ${MAX_PATH_LENGTH} characters.`)
  return path
}
