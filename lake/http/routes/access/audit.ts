import type {FastifyInstance, RouteShorthandOptions} from 'fastify'
import {everywhere, mayGive} from '../../../access/rights/rights.ts'
import type {AuditLog} from '../../../audit/auditLog.ts'
import {AUDIT_KINDS} from '../../../audit/events.ts'
import {refuse} from '../../errors.ts'
import {admitted} from '../../gate.ts'
import {searchParam} from '../../request.ts'

/** Events of one page. */
const PAGE_SIZE = 50

/** Events of one response for programs. */
const MAX_LINES = 1_000

/**
 * `GET /access/audit`: the audit log, the latest event first. `kind`, `person` and `since` select events; `after`
 * is the cursor of the next page. `GET /access/audit/lines`: the events with all details as lines of JSON, the oldest first, for
 * programs that collect them: `after` is the id of the last line that they have. For administrators of all sites, because events do not belong to one.
 */
export function auditRoutes(app: FastifyInstance, audit: Pick<AuditLog, 'find' | 'lines'>): void {
  const options: RouteShorthandOptions = {
    config: {access: 'administer'},
    preHandler: async (request) => {
      if (!mayGive(admitted(request).rights, everywhere('administrator')))
        throw refuse.forbidden('The audit log is for administrators of all sites')
    },
  }
  app.get('/v:version/access/audit/lines', options, async (request, reply) => {
    const lines = audit.lines(searchParam(request, 'after'), MAX_LINES)
    return reply.type('application/x-ndjson').send(lines.map((line) => `${line}\n`).join(''))
  })
  app.get('/v:version/access/audit', options, async (request) => {
    const asked = searchParam(request, 'kind')
    const kind = AUDIT_KINDS.find((one) => one === asked)
    if (asked !== undefined && kind === undefined)
      throw refuse.badRequest(`"kind" must be one of ${AUDIT_KINDS.join(', ')}`)
    const since = searchParam(request, 'since')
    if (since !== undefined && Number.isNaN(Date.parse(since)))
      throw refuse.badRequest('"since" must be a date')
    const query = {
      kind,
      person: searchParam(request, 'person'),
      since: since === undefined ? undefined : new Date(since).toISOString(),
      after: searchParam(request, 'after'),
      limit: PAGE_SIZE,
    }
    return audit.find(query)
  })
}
