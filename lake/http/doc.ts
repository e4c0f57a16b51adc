import type {FastifyInstance} from 'fastify'
import {isPublicId} from '../documents/ids.ts'
import type {LakeContext} from './context.ts'
import {refuse} from './errors.ts'
import {checkTarget, flag, pathParam} from './request.ts'

/** Documents of one request; the client asks for 100 at a time. */
const MAX_IDS = 200

/** `GET /data/doc/:dataset/:ids`. In a public lake strangers get what is published. https://www.sanity.io/docs/http-reference/doc */
export function docRoute(app: FastifyInstance, context: LakeContext): void {
  app.get('/v:version/data/doc/:dataset/:ids', {config: {access: 'published'}}, async (request) => {
    checkTarget(request, context)
    const isKnown = await context.access.isKnown(request)
    const ids = pathParam(request, 'ids').split(',')
    if (ids.length > MAX_IDS) throw refuse.badRequest(`More than ${MAX_IDS} documents were asked for`)
    const isHidden = (id: string) => !isKnown && !isPublicId(id)
    const found = ids.map((id) => (isHidden(id) ? undefined : context.store.get(id)))
    return {
      documents: flag(request, 'excludeContent', false)
        ? []
        : found.filter((document) => document !== undefined),
      omitted: ids
        .filter((_, at) => found[at] === undefined)
        // Whether a hidden document exists is hidden too.
        .map((id) => ({id, reason: isHidden(id) ? 'permission' : 'existence'})),
    }
  })
}
