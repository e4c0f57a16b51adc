import type {FastifyInstance, FastifyRequest, RouteShorthandOptions} from 'fastify'
import {errorMessage} from '../../../common/errorMessage.ts'
import {pathParam} from '../../../common/http/pathParam.ts'
import {describeRights, mayUse} from '../../access/rights/rights.ts'
import {parseReport, summaryOf, type TestReport, type TestReports} from '../../reports/testReports.ts'
import {changesIn, reviewsIn} from '../../write/transaction/review/reviewRequest.ts'
import {refuse} from '../errors.ts'
import {admitted} from '../gate.ts'
import type {LakeContext} from '../request.ts'

/** Bytes of a report. Most have a few thousand. */
const MAX_BODY = 1024 * 1024

/** Maximum reports of one client within a minute. */
const RATE_LIMIT = {max: 30, timeWindow: 60_000}

/** The last results of tests, for Studio. Hosted Sanity has no such routes. */
export function testReportRoutes(
  app: FastifyInstance,
  {access, store}: LakeContext,
  reports: TestReports,
): void {
  const read: RouteShorthandOptions = {config: {access: 'read'}}

  app.get('/v:version/tests', read, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return {sites: reports.all().map(({site, report}) => ({site, ...summaryOf(report)}))}
  })

  app.get('/v:version/tests/:site', read, async (request, reply) => {
    const site = pathParam(request, 'site')
    const report = reports.find(site)
    reply.header('cache-control', 'no-store')
    return {
      report: report === undefined ? null : {...summaryOf(report), tools: report.tools},
      reviewed: reports.reviewedOf(site),
    }
  })

  app.put(
    '/v:version/tests/:site',
    {config: {access: 'report', rateLimit: RATE_LIMIT}, bodyLimit: MAX_BODY},
    async (request, reply) => {
      const {rights} = admitted(request)
      const site = pathParam(request, 'site')
      if (!mayUse(rights, 'report', site))
        throw refuse.forbidden(
          `You may not report tests of "${site}". Your rights: ${describeRights(rights, access.siteName)}.`,
        )
      const published = store.view('published')
      if (published.get(site)?._type !== 'site') throw refuse.notFound(`There is no published site "${site}"`)
      // A token for one site says nothing about the tools of another.
      const reviewed = reviewsIn(store)
        .flatMap(changesIn)
        .filter((change) => change.site === site)
      reports.save(site, reportIn(request), {
        published: (id) => published.get(id)?._rev,
        isReviewed: (id, revision) =>
          reviewed.some(({document, after}) => document === id && after === revision),
      })
      return reply.code(204).send()
    },
  )
}

function reportIn({body}: FastifyRequest): TestReport {
  try {
    return parseReport(body)
  } catch (error) {
    throw refuse.badRequest(errorMessage(error))
  }
}
