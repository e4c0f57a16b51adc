import type {FastifyInstance, RouteShorthandOptions} from 'fastify'
import {pathParam} from '../../../../common/http/pathParam.ts'
import type {Access} from '../../../access/access.ts'
import {describeRights, everywhere, mayGive, mayUse, type Rights} from '../../../access/rights/rights.ts'
import {includes} from '../../../access/rights/role.ts'
import type {SessionInfo} from '../../../access/signIn/sessions.ts'
import {refuse} from '../../errors.ts'
import {admitted} from '../../gate.ts'
import {endSessions, shownSession} from './editorSessions.ts'
import {mayReset, ownPasswordRoute} from './ownPassword.ts'

/** Maximum people to name, of each kind. */
const MAX_NAMED = 10

/** Studio names those of one site, so it needs more of them. */
const MAX_PUBLISHERS = 100

/** What the client itself may do, its sessions, and whom to ask for more rights, for everyone in Studio. */
export function ownAccessRoutes(app: FastifyInstance, access: Access): void {
  const options: RouteShorthandOptions = {config: {access: 'read'}}
  ownPasswordRoute(app, access)

  app.get('/v:version/access/me', options, async (request) => {
    const {id, name, email, rights} = admitted(request)
    const current = access.sessionOf(request)
    const sessions = access.sessions.ofEditor(id)
    const editors = access.accounts.editors()
    const administrators = editors.filter((one) => one.id !== id && mayUse(one.rights, 'administer'))
    // Those of all sites first.
    const publishers = editors.filter((one) => one.id !== id && mayPublish(one.rights))
    administrators.sort((a, b) => Number(mayGive(b.rights, ALL)) - Number(mayGive(a.rights, ALL)))
    return {
      id,
      name,
      email,
      rights,
      rightsText: describeRights(rights, access.siteName),
      mayAdminister: mayUse(rights, 'administer'),
      mayAudit: mayGive(rights, ALL),
      password: passwordOf(id, current),
      sessions: sessions.map((session) => ({
        ...shownSession(session),
        isCurrent: session.id === current?.id,
      })),
      administrators: administrators.slice(0, MAX_NAMED).map((one) => ({name: one.name, email: one.email})),
      publishers: publishers.slice(0, MAX_PUBLISHERS).map(({name, email, rights}) => ({name, email, rights})),
    }
  })

  /** What an editor can do with their password in this session. */
  function passwordOf(id: string, session: SessionInfo | undefined) {
    const editor = session?.editorId === id ? access.accounts.editor(id) : undefined
    if (session === undefined || editor === undefined || editor.usesSingleSignOn || !access.passwords)
      return {isOffered: false}
    return {isOffered: true, isSet: editor.hasPassword, mayReset: mayReset(session)}
  }

  app.delete('/v:version/access/me/sessions/:id', options, async (request, reply) => {
    const principal = admitted(request)
    const id = pathParam(request, 'id')
    const session = access.sessions.ofEditor(principal.id).find((one) => one.id === id)
    if (session === undefined) throw refuse.notFound('This session has ended already')
    endSessions(access, principal, principal, [session])
    return reply.code(204).send()
  })
}

/** Whether rights allow publishing on any site. */
function mayPublish(rights: Rights): boolean {
  return rights.some(({role}) => includes(role, 'publisher'))
}

const ALL = everywhere('administrator')
