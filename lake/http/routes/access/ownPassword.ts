import type {FastifyInstance, RouteShorthandOptions} from 'fastify'
import type {Access} from '../../../access/access.ts'
import {LINK_LIFETIME} from '../../../access/accounts.ts'
import {passwordProblem} from '../../../access/secrets.ts'
import {browserName} from '../../../access/signIn/browserName.ts'
import {sessionCookie} from '../../../access/signIn/cookie.ts'
import type {SessionInfo} from '../../../access/signIn/sessions.ts'
import {actorOf} from '../../../audit/events.ts'
import {refuse} from '../../errors.ts'
import {admitted} from '../../gate.ts'
import {clientOf} from '../../limits/client.ts'
import {jsonBody} from '../../request.ts'

/** Maximum attempts of one client within a minute. */
const RATE_LIMIT = {max: 10, timeWindow: 60_000}

/** Maximum size of the body in bytes. */
const MAX_BYTES = 10_000

/**
 * Sets or changes the password of the editor who is signed in. It ends all their sessions, of which this browser gets a
 * new one.
 */
export function ownPasswordRoute(app: FastifyInstance, access: Access): void {
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
export function mayReset({method, since}: SessionInfo): boolean {
  return method === 'link' && Date.now() - since <= LINK_LIFETIME
}
