import type {FastifyInstance} from 'fastify'
import {everywhere, mayGive} from '../../../access/rights/rights.ts'
import type {AuditLog} from '../../../audit/auditLog.ts'
import {AUDIT_KINDS} from '../../../audit/events.ts'
import {refuse} from '../../errors.ts'
import {admitted} from '../../gate.ts'
import {searchParam} from '../../request.ts'

/** Events of one page. */
const PAGE_SIZE = 50

/**
 * `GET /access/audit`: the audit log, the latest event first. `kind`, `person` and `since` select events; `after`
 * is the cursor of the next page. For administrators of all sites, because events do not belong to one.
 */
export function auditRoutes(app: FastifyInstance, audit: Pick<AuditLog, 'find'>): void {
  app.get('/v:version/access/audit', {config: {access: 'administer'}}, async (request) => {
    if (!mayGive(admitted(request).rights, everywhere('administrator')))
      throw refuse.forbidden('The audit log is for administrators of all sites')
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
