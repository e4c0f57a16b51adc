import type {FastifyInstance, FastifyRequest} from 'fastify'
import {bearerToken} from '../../../common/http/bearerToken.ts'
import {isJsonObject} from '../../../common/json.ts'
import {callsReport} from '../../calls/callsReport.ts'
import {parseReport} from '../../calls/report.ts'
import {ANY_PAGE} from '../../counts/store.ts'
import {errors} from '../../errors.ts'
import type {Limit, Limits} from '../../limits/rateLimit.ts'
import type {CompiledSite} from '../../site/compiledSite.ts'
import type {Parts} from '../parts.ts'
import {publicIdOf, siteOf} from '../requestedSite.ts'

const CALLS_URL = '/api/sites/:publicId/calls'
const VISITS_URL = '/api/sites/:publicId/visits'

/** Maximum size of a report of a page, in bytes. */
const MAX_BODY = 8_192

/** Days of a report for people. */
const DAYS = {default: 30, most: 396}

/** Returns the report on a site. `null`: it is not published, or not yet known to be. */
type Read = (publicId: string, site: CompiledSite | null, request: FastifyRequest) => Promise<object>

/**
 * `/api/sites/:publicId/calls`: pages report calls of agents, and those who may read the site get the sums. `/visits`: when pages
 * last asked for their tools.
 */
export function reportRoutes(app: FastifyInstance, parts: Parts, {previews: limit, reports}: Limits): void {
  const {sites, calls, counts, visits} = parts
  app.register(async (scope) => {
    // With another type, browsers send a preflight, which a page that is closed cannot wait for.
    scope.addContentTypeParser('text/plain', {parseAs: 'string'}, (_request, body, done) => done(null, body))
    scope.post(CALLS_URL, {onRequest: reports, bodyLimit: MAX_BODY}, async (request, reply) => {
      const {site} = await siteOf(request, sites)
      if (site.reporting === 'off') throw new errors.NOT_FOUND('This site does not count calls.')
      calls.add(publicIdOf(request), site, parseReport(String(request.body)))
      return reply.code(204).header('cache-control', 'no-store').send()
    })
  })
  forPeople(app, CALLS_URL, parts, limit, async (publicId, site, request) => {
    const days = daysIn(request)
    return callsReport(site ? await counts.callsOf(publicId, days) : {counts: []}, site, counts.now())
  })
  forPeople(app, VISITS_URL, parts, limit, async (publicId, site) => {
    const times = await visits.of(publicId)
    const seenAt = (id: string) => {
      const at = site ? times.get(id) : undefined
      return at === undefined ? undefined : {seenAt: new Date(at).toISOString()}
    }
    const tools = (site?.texts.served() ?? []).flatMap(({documentId: id}) => {
      const seen = seenAt(id)
      return seen ? [{id, ...seen}] : []
    })
    return {now: new Date(counts.now()).toISOString(), ...seenAt(ANY_PAGE), tools}
  })
}

/** A report for those who have the code with which Studio reads reports of a site. */
function forPeople(
  app: FastifyInstance,
  url: string,
  {previews, sites}: Parts,
  limit: Limit,
  read: Read,
): void {
  app.get(url, {onRequest: limit}, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (previews === undefined) throw new errors.PREVIEW_OFF()
    const publicId = publicIdOf(request)
    await previews.requireCode(publicId, bearerToken(request.headers.authorization))
    const {site} = await sites.get(publicId)
    return reply.send(await read(publicId, site, request))
  })
}

/** @throws BAD_REQUEST */
function daysIn({query}: FastifyRequest): number {
  const {days = DAYS.default} = isJsonObject(query) ? query : {}
  const number = Number(days)
  if (!Number.isInteger(number) || number < 1 || number > DAYS.most)
    throw new errors.BAD_REQUEST(`"days" must be a number from 1 to ${DAYS.most}.`)
  return number
}
