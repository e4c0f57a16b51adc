import type {FastifyInstance, FastifyRequest} from 'fastify'
import {isJsonObject} from '../../../common/json.ts'
import type {Calls} from '../../calls/calls.ts'
import {callsReport} from '../../calls/callsReport.ts'
import {parseReport} from '../../calls/report.ts'
import type {Counts} from '../../counts/counts.ts'
import {errors} from '../../errors.ts'
import type {Limit} from '../../limits/rateLimit.ts'
import type {Previews} from '../../preview/previews.ts'
import {tokenIn} from '../bearerToken.ts'
import {refuseOtherMethods} from '../methods.ts'
import {publicIdOf, type SiteCache, siteOf} from '../requestedSite.ts'

const CALLS_URL = '/api/sites/:publicId/calls'

/** Maximum size of a report, in bytes. */
const MAX_BODY = 8_192

/** Days of a report for people. */
const DAYS = {default: 30, most: 396}

export type CallsRouteOptions = {
  readonly sites: SiteCache
  readonly calls: Pick<Calls, 'add'>
  readonly stored: Pick<Counts, 'callsOf' | 'now'>
  /** `undefined` if the service cannot read the secrets of Studio. */
  readonly previews: Pick<Previews, 'requireCode'> | undefined
  /** Of people. */
  readonly limit: Limit
  /** Of pages. */
  readonly reportLimit: Limit
}

/** `/api/sites/:publicId/calls`: pages report calls of agents, and those who may read the site get the sums. */
export function callsRoutes(app: FastifyInstance, options: CallsRouteOptions): void {
  const {sites, calls, stored, previews, limit, reportLimit} = options
  app.register(async (scope) => {
    // With another type, browsers send a preflight, which a page that is closed cannot wait for.
    scope.addContentTypeParser('text/plain', {parseAs: 'string'}, (_request, body, done) => done(null, body))
    scope.post(CALLS_URL, {onRequest: reportLimit, bodyLimit: MAX_BODY}, async (request, reply) => {
      const {site} = await siteOf(request, sites)
      if (site.reporting === 'off') throw new errors.NOT_FOUND('This site does not count calls.')
      calls.add(publicIdOf(request), site, parseReport(String(request.body)))
      return reply.code(204).header('cache-control', 'no-store').send()
    })
  })
  app.get(CALLS_URL, {onRequest: limit}, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (previews === undefined) throw new errors.PREVIEW_OFF()
    const publicId = publicIdOf(request)
    await previews.requireCode(publicId, tokenIn(request))
    const days = daysIn(request)
    const {site} = await sites.get(publicId)
    // Not published, or not yet known to be.
    const found = site ? await stored.callsOf(publicId, days) : {counts: []}
    return reply.send(await callsReport(found, site, stored.now()))
  })
  refuseOtherMethods(app, CALLS_URL, ['GET', 'HEAD', 'POST', 'OPTIONS'])
}

/** @throws BAD_REQUEST */
function daysIn({query}: FastifyRequest): number {
  const {days = DAYS.default} = isJsonObject(query) ? query : {}
  const number = Number(days)
  if (!Number.isInteger(number) || number < 1 || number > DAYS.most)
    throw new errors.BAD_REQUEST(`"days" must be a number from 1 to ${DAYS.most}.`)
  return number
}
