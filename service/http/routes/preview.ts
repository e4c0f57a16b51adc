import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import {bearerToken} from '../../../common/http/bearerToken.ts'
import {pathParam} from '../../../common/http/pathParam.ts'
import {isJsonObject, jsonIn} from '../../../common/json.ts'
import {errors} from '../../errors.ts'
import type {Limits} from '../../limits/rateLimit.ts'
import type {Caller} from '../../preview/previews.ts'
import {matchesEntityTag} from '../conditional.ts'
import {JAVASCRIPT} from '../javascript.ts'
import type {Parts} from '../parts.ts'
import {publicIdOf} from '../requestedSite.ts'
import {pathOf} from './config.ts'

const PREVIEW_URL = '/api/sites/:publicId/preview'
const OPENED_URL = '/api/sites/:publicId/preview/opened'
const MODULE_URL = '/api/sites/:publicId/preview/scripts/:ticket/:toolId/:revision.js'

/** Maximum size of the body with a code, in bytes. */
const MAX_BODY = 1_024

/** Drafts stay out of every cache, and the addresses of pages and tickets out of `Referer`. */
const PRIVATE = {'cache-control': 'no-store', 'referrer-policy': 'no-referrer'}

/**
 * The routes of previews: drafts for those who have a link from Studio, and nothing of the cache for visitors.
 */
export function previewRoutes(app: FastifyInstance, {previews}: Parts, {previews: limit}: Limits): void {
  const options = {onRequest: [keepPrivate, ...limit, requirePreviews]}

  async function keepPrivate(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.headers(PRIVATE)
  }

  async function requirePreviews(): Promise<void> {
    if (previews === undefined) throw new errors.PREVIEW_OFF()
  }

  app.register(async (scope) => {
    scope.addContentTypeParser('application/json', {parseAs: 'string'}, (_request, body, done) =>
      done(null, body),
    )
    scope.post(PREVIEW_URL, {...options, bodyLimit: MAX_BODY}, async (request, reply) =>
      reply.send(await previews?.exchange(publicIdOf(request), linkIn(request), originOf(request))),
    )
  })

  app.get(PREVIEW_URL, options, async (request, reply) => {
    const path = pathOf(request)
    if (path === undefined) throw new errors.BAD_REQUEST('"path" is missing.')
    const isHeld = (entityTag: string) => matchesEntityTag(heldTagIn(request), entityTag)
    const page = await previews?.page(
      publicIdOf(request),
      bearerToken(request.headers.authorization),
      callerOf(request),
      path,
      isHeld,
    )
    if (page === undefined) throw new errors.NOT_FOUND('No site has this public ID.')
    reply.header('etag', page.entityTag)
    if (page.body === undefined) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(page.body)
  })

  app.get(OPENED_URL, options, async (request, reply) =>
    reply.send(await previews?.opened(publicIdOf(request), bearerToken(request.headers.authorization))),
  )

  app.get(MODULE_URL, options, async (request, reply) => {
    const script = {toolId: pathParam(request, 'toolId'), revision: pathParam(request, 'revision')}
    const module = await previews?.module(publicIdOf(request), pathParam(request, 'ticket'), script)
    if (module === undefined)
      throw new errors.NOT_FOUND('The draft has another script by now: request the preview again.')
    return reply.headers(JAVASCRIPT).send(module)
  })

  for (const url of [PREVIEW_URL, OPENED_URL])
    app.options(url, {config: {cors: {methods: ['GET', 'HEAD', 'POST']}}}, (_request, reply) => reply.send())
}

function linkIn({body}: FastifyRequest): {readonly code: string; readonly tab: string | undefined} {
  const parsed = typeof body === 'string' ? jsonIn(body) : undefined
  const {code, tab} = isJsonObject(parsed) ? parsed : {}
  if (typeof code !== 'string' || (tab !== undefined && !isTab(tab)))
    throw new errors.BAD_REQUEST('the body must be JSON like {"code": "…", "tab": "…"}.')
  return {code, tab}
}

/** Long enough to guess no other tab's. */
function isTab(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{20,100}$/.test(value)
}

/**
 * With `If-None-Match`, browsers bypass their cache of preflights (Fetch §4.5: the cache mode becomes `no-store`), so that
 * each poll of the panel would be two requests.
 */
function heldTagIn({headers}: FastifyRequest): string | undefined {
  return headers['preview-tag']?.toString()
}

/** @throws BAD_REQUEST unless a page of a website sends the request */
function originOf({headers: {origin = ''}}: FastifyRequest): string {
  const isWebsite = URL.canParse(origin) && /^https?:$/.test(new URL(origin).protocol)
  if (!isWebsite || new URL(origin).origin !== origin || origin.length > 300)
    throw new errors.BAD_REQUEST('a page of a website must send it, with its "Origin".')
  return origin
}

function callerOf({headers}: FastifyRequest): Caller {
  const {origin, host} = headers
  return {origin, host: headers['sec-fetch-site'] === 'same-origin' ? host : undefined}
}
