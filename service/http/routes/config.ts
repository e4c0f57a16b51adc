import type {FastifyInstance, FastifyRequest} from 'fastify'
import {pathParam} from '../../../common/http/pathParam.ts'
import {isJsonObject} from '../../../common/json.ts'
import {errors} from '../../errors.ts'
import type {Limits} from '../../limits/rateLimit.ts'
import {configAnswer} from '../configAnswer.ts'
import type {Parts} from '../parts.ts'
import {siteOf} from '../requestedSite.ts'

export const CONFIG_URL = '/api/sites/:publicId/config'

/** Maximum length of a page path that is matched with patterns. Up to this length, that takes linear time. */
export const MAX_PATH_LENGTH = 2_048

/** `GET /api/sites/:publicId/config` (docs/specification.md), for requests that `hotPath.ts` does not handle. */
export function configRoute(app: FastifyInstance, parts: Parts, {perSite}: Limits): void {
  app.get(CONFIG_URL, {onRequest: perSite}, async (request, reply) => {
    const {headers: sent, query} = request
    const path = pathOf(request)
    const isCheck = isJsonObject(query) && 'check' in query
    const site = await siteOf(request, parts.sites)
    const asked = {publicId: pathParam(request, 'publicId'), path, isCheck, headers: sent}
    const {status, headers, body} = configAnswer(asked, site, parts)
    for (let at = 0; at < headers.length; at += 2) reply.header(String(headers[at]), headers[at + 1])
    return reply.code(status).send(body)
  })
}

/**
 * The path of the page in a query. A longer one than {@link MAX_PATH_LENGTH} gets the tools of all pages.
 * @throws BAD_REQUEST if it occurs twice
 */
export function pathOf({query}: FastifyRequest): string | undefined {
  const path = isJsonObject(query) ? query.path : undefined
  if (path === undefined) return undefined
  if (typeof path !== 'string') throw new errors.BAD_REQUEST('"path" is given more than once.')
  return path.length > MAX_PATH_LENGTH ? LONG_PATH : path
}

/**
 * Stands for a path that is too long to be matched: it gets the tools of every page. It has more segments than a
 * pattern without `**` can have, and no name of a folder.
 */
const LONG_PATH = '/\0'.repeat(MAX_PATH_LENGTH / 2)
