import type {FastifyInstance, RouteShorthandOptions} from 'fastify'
import {pathParam} from '../../../../common/http/pathParam.ts'
import type {Access} from '../../../access/access.ts'
import {LINK_LIFETIME} from '../../../access/accounts.ts'
import type {Principal} from '../../../access/principal.ts'
import {
  describeRights,
  everywhere,
  includes,
  mayGive,
  mayUse,
  type Rights,
} from '../../../access/rights/rights.ts'
import {passwordProblem} from '../../../access/secrets.ts'
import {sessionCookie} from '../../../access/signIn/cookie.ts'
import {browserName, type SessionInfo} from '../../../access/signIn/sessions.ts'
import {actorOf} from '../../../audit/events.ts'
import {refuse} from '../../errors.ts'
import {admitted} from '../../gate.ts'
import {clientOf} from '../../limits/client.ts'
import {jsonBody} from '../../request.ts'

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

/** Ends sessions of an editor, and records it. */
export function endSessions(
  {sessions, audit}: Access,
  by: Principal,
  about: Principal,
  ended: readonly SessionInfo[],
): void {
  const ids = ended.map(({id}) => id)
  sessions.end(ids, () =>
    audit.record({type: 'people.sessionsEnded', by: actorOf(by), about: actorOf(about), count: ids.length}),
  )
}

/** A session as Studio shows it. */
export function shownSession({id, since, lastUsed, browser}: SessionInfo) {
  return {id, since: new Date(since).toISOString(), lastUsed: new Date(lastUsed).toISOString(), browser}
}

/** Maximum attempts of one client within a minute. */
const RATE_LIMIT = {max: 10, timeWindow: 60_000}

/** Maximum size of the body in bytes. */
const MAX_BYTES = 10_000

/**
 * Sets or changes the password of the editor who is signed in. It ends all their sessions, of which this browser gets a
 * new one.
 */
function ownPasswordRoute(app: FastifyInstance, access: Access): void {
  const {accounts, sessions, passwordChecks} = access
  const options: RouteShorthandOptions = {
    config: {access: 'read', rateLimit: RATE_LIMIT},
    bodyLimit: MAX_BYTES,
  }
  app.put('/v:version/access/me/password', options, async (request, reply) => {
    const principal = admitted(request)
    const session = access.sessionOf(request)
    const {password, current} = jsonBody(request)
    if (session?.editorId !== principal.id)
      throw refuse.forbidden('Only a person who is signed in has a password')
    if (!access.passwords) throw refuse.forbidden('Sign-in with a password is switched off')
    if (typeof password !== 'string') throw refuse.badRequest('"password" must be a string')
    const problem = passwordProblem(password, principal)
    if (problem !== undefined) throw refuse.badRequest(problem)
    if (typeof current === 'string') await checkCurrent(principal.email, current, clientOf(request))
    else if (!mayReset(session))
      throw refuse.forbidden('Type your current password, or sign in with a sign-in link first')
    const changed = await passwordChecks.run(() =>
      accounts.setPassword(principal.email, password, ({id, generation}) => {
        if (id !== principal.id || generation !== session.generation)
          throw refuse.forbidden('Your session has ended: sign in again')
        const [by, about] = [actorOf(principal), actorOf(principal)]
        access.audit.record({type: 'people.passwordChanged', by, about})
      }),
    )
    const secret = sessions.begin(
      {editorId: principal.id, generation: changed.generation},
      {browser: browserName(request.headers['user-agent'])},
    )
    sessions.end([session.id])
    return reply
      .code(204)
      .header('set-cookie', sessionCookie(access.originOf(request), secret))
      .send()
  })

  async function checkCurrent(email: string, current: string, client: string): Promise<void> {
    const found = await passwordChecks.check(email, current, client)
    if (typeof found === 'object') return
    const about = accounts.byEmail(email)
    access.audit.record({type: 'signIn.failed', method: 'password', about: about && actorOf(about), client})
    throw refuse.forbidden(
      found === 'too many'
        ? 'Too many wrong passwords. Ask for a sign-in link, or try again in 15 minutes'
        : 'The current password is not right',
    )
  }
}

/** Whether a session began with a sign-in link so recently that no password is needed to set a new one. */
function mayReset({method, since}: SessionInfo): boolean {
  return method === 'link' && Date.now() - since <= LINK_LIFETIME
}
