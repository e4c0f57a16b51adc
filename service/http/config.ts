import type {FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler} from 'fastify'
import type {Bodies} from '../cache/bodies.ts'
import {acceptedCodings} from '../codings/acceptedCodings.ts'
import {errors} from '../errors.ts'
import {configFor} from '../site/answer.ts'
import {heldEntityTag} from './conditional.ts'
import {configSchema} from './descriptions/config.ts'
import {refuseOtherMethods} from './methods.ts'
import {type RequestedSite, type SiteCache, siteOf} from './site.ts'

const CONFIG_URL = '/api/sites/:publicId/config'

/** Specification §4, Caching 2. `Age` counts against it, so no cache on the way adds a second minute. */
const CACHE_CONTROL = 'public, max-age=60'

/**
 * nginx alone knows this field, and passes it on to nobody: 0 means that its cache is not to keep the answer. It does not
 * count `Age`, and would add its minute to that of the browser (docs/decisions/0017-a-minute-through-nginx.md).
 */
const NGINX_EXPIRES = '0'

const ALWAYS = {'cache-control': CACHE_CONTROL, 'x-accel-expires': NGINX_EXPIRES, vary: 'Accept-Encoding'}

/** Characters of a page path: what one decision in linear time is promised for. */
const MAX_PATH_LENGTH = 2_048

export type ConfigRouteOptions = {
  sites: SiteCache
  bodies: Pick<Bodies, 'bodyOf'>
  limit: onRequestAsyncHookHandler
  /** Told the age of each answer, in seconds. */
  ages: {observe(seconds: number): void}
  clock: () => number
}

/** `GET /api/sites/:publicId/config` (specification §4). */
export function configRoute(
  app: FastifyInstance,
  {sites, bodies, limit, ages, clock}: ConfigRouteOptions,
): void {
  const schema = configSchema({
    cacheControl: CACHE_CONTROL,
    nginxExpires: NGINX_EXPIRES,
    maxPathLength: MAX_PATH_LENGTH,
  })
  app.get(CONFIG_URL, {onRequest: limit, schema}, (request, reply) => {
    const path = pathOf(request)
    const found = siteOf(request, sites)
    // Nearly always the site is at hand, and to wait for a promise would cost as much as all else that is done here.
    if (found instanceof Promise) return found.then((site) => answer(request, reply, site, path))
    answer(request, reply, found, path)
    return undefined
  })

  function answer(
    {headers}: FastifyRequest,
    reply: FastifyReply,
    {site, validatedAt}: RequestedSite,
    path: string | undefined,
  ): FastifyReply {
    // Rounded up: whoever keeps the answer until `Age` is 60 has then kept it for no longer than a minute.
    const age = Math.max(0, Math.ceil((clock() - validatedAt) / 1_000))
    ages.observe(age)
    reply.headers(ALWAYS).header('age', age)

    const config = configFor(site, path)
    const accepted = acceptedCodings(headers['accept-encoding'])
    const held = heldEntityTag(headers['if-none-match'], config.entityTag, accepted)
    if (held !== undefined) return reply.header('etag', held).code(304).send()

    const {coding, entityTag, body} = bodies.bodyOf(config, accepted)
    reply.header('etag', entityTag).header('content-type', 'application/json; charset=utf-8')
    if (coding !== 'identity') reply.header('content-encoding', coding)
    return reply.send(body)
  }

  refuseOtherMethods(app, CONFIG_URL)
}

function pathOf({query}: FastifyRequest): string | undefined {
  const path = typeof query === 'object' && query !== null && 'path' in query ? query.path : undefined
  if (path === undefined) return undefined
  if (typeof path !== 'string') throw new errors.BAD_REQUEST('"path" is given more than once.')
  if (path.length > MAX_PATH_LENGTH)
    throw new errors.BAD_REQUEST(`"path" is longer than ${MAX_PATH_LENGTH} characters.`)
  return path
}
