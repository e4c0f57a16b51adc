import type {FastifyInstance, RouteShorthandOptions} from 'fastify'
import {pathParam} from '../../../../common/pathParam.ts'
import type {Access} from '../../../access/access.ts'
import {everywhere, mayGive, mayUse} from '../../../access/rights/rights.ts'
import {refuse} from '../../errors.ts'
import {endSessions, shown} from './people.ts'

/** Maximum administrators to name. */
const MAX_NAMED = 10

/** What the client itself may do, its sessions, and whom to ask for more rights, for everyone in Studio. */
export function ownAccessRoutes(app: FastifyInstance, access: Access): void {
  const options: RouteShorthandOptions = {config: {access: 'read'}}

  app.get('/v:version/access/me', options, async (request) => {
    const {id, name, email, rights} = await access.require(request, 'read')
    const current = await access.sessionOf(request)
    const sessions = await access.sessionsOf(id)
    const editors = await access.accounts.editors()
    const administrators = editors.filter((one) => one.id !== id && mayUse(one.rights, 'administer'))
    // Those of all sites first.
    administrators.sort((a, b) => Number(mayGive(b.rights, ALL)) - Number(mayGive(a.rights, ALL)))
    return {
      id,
      name,
      email,
      rights,
      mayAdminister: mayUse(rights, 'administer'),
      mayAudit: mayGive(rights, ALL),
      sessions: sessions.map((session) => ({...shown(session), isCurrent: session.id === current?.id})),
      administrators: administrators.slice(0, MAX_NAMED).map((one) => ({name: one.name, email: one.email})),
    }
  })

  app.delete('/v:version/access/me/sessions/:id', options, async (request, reply) => {
    const principal = await access.require(request, 'read')
    const id = pathParam(request, 'id')
    const session = (await access.sessionsOf(principal.id)).find((one) => one.id === id)
    if (session === undefined) throw refuse.notFound('This session has ended already')
    await endSessions(access, principal, principal, [session])
    return reply.code(204).send()
  })
}

const ALL = everywhere('administrator')
