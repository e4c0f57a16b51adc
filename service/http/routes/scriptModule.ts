import type {FastifyInstance, FastifyRequest, onRequestAsyncHookHandler} from 'fastify'
import {pathParam} from '../../../common/http/pathParam.ts'
import {errors} from '../../errors.ts'
import {scriptModuleOf} from '../../site/scriptModule.ts'
import {matchesEntityTag} from '../conditional.ts'
import {FOREVER, JAVASCRIPT} from '../javascript.ts'
import {refuseOtherMethods} from '../methods.ts'
import {type SiteCache, siteOf} from '../requestedSite.ts'

const MODULE_URL = '/api/sites/:publicId/tools/:toolId/:revision.js'

/**
 * If a module is missing, revalidate the site if its last revalidation is older than this, in milliseconds.
 * The page may have its config from another replica that already has a newer version. Clients can thus cause
 * at most one query per second for a site.
 */
const SECOND_LOOK_AFTER = 1_000

type ScriptModuleRouteOptions = {readonly sites: SiteCache; readonly limit: onRequestAsyncHookHandler}

/**
 * `GET /api/sites/:publicId/tools/:toolId/:revision.js`: a published tool's script, for pages whose policy
 * forbids `eval`.
 */
export function scriptModuleRoute(app: FastifyInstance, {sites, limit}: ScriptModuleRouteOptions): void {
  app.get(MODULE_URL, {onRequest: limit}, async (request, reply) => {
    const module = await requestedModule(request, sites)
    if (!module) throw new errors.NOT_FOUND('No published tool has this script: fetch the config again.')

    const entityTag = `"${pathParam(request, 'revision')}"`
    reply.headers({...JAVASCRIPT, 'cache-control': FOREVER, etag: entityTag})
    if (matchesEntityTag(request.headers['if-none-match'], entityTag)) return reply.code(304).send()
    return reply.send(module)
  })
  refuseOtherMethods(app, MODULE_URL)
}

async function requestedModule(request: FastifyRequest, sites: SiteCache): Promise<string | undefined> {
  const name = [pathParam(request, 'toolId'), pathParam(request, 'revision')] as const
  const {site} = await siteOf(request, sites)
  const module = scriptModuleOf(site, ...name)
  if (module !== undefined) return module
  const {site: later} = await siteOf(request, sites, SECOND_LOOK_AFTER)
  return later === site ? undefined : scriptModuleOf(later, ...name)
}
