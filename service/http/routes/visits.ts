import type {FastifyInstance} from 'fastify'
import {ANY_PAGE} from '../../counts/store.ts'
import {errors} from '../../errors.ts'
import type {Limit} from '../../limits/rateLimit.ts'
import type {Previews} from '../../preview/previews.ts'
import type {Visits} from '../../visits/visits.ts'
import {tokenIn} from '../bearerToken.ts'
import {refuseOtherMethods} from '../methods.ts'
import {publicIdOf, type SiteCache} from '../requestedSite.ts'

const VISITS_URL = '/api/sites/:publicId/visits'

export type VisitsRouteOptions = {
  readonly sites: SiteCache
  readonly visits: Pick<Visits, 'now' | 'of'>
  /** `undefined` if the service cannot read the secrets of Studio. */
  readonly previews: Pick<Previews, 'requireCode'> | undefined
  /** That of previews: Studio sends both. */
  readonly limit: Limit
}

/** `GET /api/sites/:publicId/visits`: when pages last asked for their tools, for those who may read the site. */
export function visitsRoute(app: FastifyInstance, options: VisitsRouteOptions): void {
  const {sites, visits, previews, limit} = options
  app.get(VISITS_URL, {onRequest: limit}, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (previews === undefined) throw new errors.PREVIEW_OFF()
    const publicId = publicIdOf(request)
    await previews.requireCode(publicId, tokenIn(request))
    const {site} = await sites.get(publicId)
    // Not published, or not yet known to be.
    if (!site) return reply.send({now: dateOf(visits.now()), tools: []})
    const times = await visits.of(publicId)
    const seenAt = times.get(ANY_PAGE)
    const tools = site.texts.served().flatMap(({documentId: id}) => {
      const at = times.get(id)
      return at === undefined ? [] : [{id, seenAt: dateOf(at)}]
    })
    return reply.send({
      now: dateOf(visits.now()),
      ...(seenAt !== undefined && {seenAt: dateOf(seenAt)}),
      tools,
    })
  })
  refuseOtherMethods(app, VISITS_URL)
}

function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
