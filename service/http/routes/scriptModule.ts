import type {FastifyInstance} from 'fastify'
import {pathParam} from '../../../common/http/pathParam.ts'
import {errors} from '../../errors.ts'
import type {Limits} from '../../limits/rateLimit.ts'
import {scriptModuleOf} from '../../site/scriptModule.ts'
import {matchesEntityTag} from '../conditional.ts'
import {FOREVER, JAVASCRIPT} from '../javascript.ts'
import type {Parts} from '../parts.ts'
import {siteOf} from '../requestedSite.ts'

const MODULE_URL = '/api/sites/:publicId/tools/:toolId/:revision.js'

/**
 * `GET /api/sites/:publicId/tools/:toolId/:revision.js`: a published tool's script, for pages whose policy
 * forbids `eval`.
 */
export function scriptModuleRoute(app: FastifyInstance, {sites}: Parts, {perSite}: Limits): void {
  app.get(MODULE_URL, {onRequest: perSite}, async (request, reply) => {
    const {site} = await siteOf(request, sites)
    const revision = pathParam(request, 'revision')
    const module = scriptModuleOf(site, pathParam(request, 'toolId'), revision)
    if (!module) throw new errors.NOT_FOUND('No published tool has this script: fetch the config again.')

    const entityTag = `"${revision}"`
    reply.headers({...JAVASCRIPT, 'cache-control': FOREVER, etag: entityTag})
    if (matchesEntityTag(request.headers['if-none-match'], entityTag)) return reply.code(304).send()
    return reply.send(module)
  })
}
