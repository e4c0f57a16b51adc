import type {FastifyInstance} from 'fastify'
import type {LakeContext} from './context.ts'
import {refuse} from './errors.ts'
import {checkTarget, flag, pathParam} from './request.ts'

/** Documents of one request; the client asks for 100 at a time. */
const maxIds = 200

/** `GET /data/doc/:dataset/:ids`. https://www.sanity.io/docs/http-reference/doc */
export function docRoute(app: FastifyInstance, context: LakeContext): void {
  app.get('/v:version/data/doc/:dataset/:ids', async (request) => {
    checkTarget(request, context)
    await context.access.require(request, 'read')
    const ids = pathParam(request, 'ids').split(',')
    if (ids.length > maxIds) throw refuse.badRequest(`More than ${maxIds} documents were asked for`)
    const found = ids.map((id) => context.store.get(id))
    return {
      documents: flag(request, 'excludeContent', false)
        ? []
        : found.filter((document) => document !== undefined),
      omitted: ids.filter((_, at) => found[at] === undefined).map((id) => ({id, reason: 'existence'})),
    }
  })
}
