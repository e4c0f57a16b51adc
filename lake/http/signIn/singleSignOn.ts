import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteShorthandOptions,
} from 'fastify'
import {logFailure} from '../../../common/http/failedRequests.ts'
import type {Access} from '../../access/access.ts'
import type {Failure, SingleSignOn} from '../../access/oidc/singleSignOn.ts'
import {pendingCookie, pendingSignIn} from '../../access/signIn/cookie.ts'
import {continuePage, LOGIN_PAGE_HEADERS} from '../../access/signIn/loginPage.ts'
import {refuse} from '../errors.ts'
import {clientOf} from '../limits/client.ts'
import {concurrencyLimit} from '../limits/concurrencyLimit.ts'
import {startSession, targetOf} from './startSession.ts'

/** Where the provider sends browsers back to. Registered there, so it must not change. */
const CALLBACK = '/login/oidc/callback'

/** Maximum sign-ins that wait for the provider at a time, and of one client. */
const WAITING = {perClient: 5, total: 50}

/** Responds with the sign-in page and why signing in failed. */
type Show = (reply: FastifyReply, status: number, problem: string) => Promise<FastifyReply>

/** The text for each failure. It never contains what the provider or the address says. */
const PROBLEMS: Readonly<Record<Failure, (provider: string) => string>> = {
  'began elsewhere': () =>
    'This sign-in began in another browser or another tab, or more than 10 minutes ago. Sign in again.',
  refused: (provider) =>
    `${provider} did not sign you in. Sign in again, or ask the person who manages your account there.`,
  unavailable: (provider) =>
    `Sign-in with ${provider} is not available at the moment. Try again later. The operator finds the reason in the log.`,
  'no rights': (provider) =>
    `Your account at ${provider} has no rights here. Ask an administrator to add you to a group that has. If you are in one, the operator finds the reason in the log.`,
  'address taken': (provider) =>
    `An editor with your email address already exists, and ${provider} does not confirm that the address is yours. Ask an administrator to remove that editor first.`,
}

/**
 * Signing in with an OpenID Connect provider. Both addresses are opened by links: the page of the provider is
 * on another origin, and no session is needed.
 * @param config of these routes: their access and their rate limit
 */
export function singleSignOnRoutes(
  app: FastifyInstance,
  access: Access,
  singleSignOn: SingleSignOn,
  {config, show}: {readonly config: FastifyContextConfig; readonly show: Show},
): void {
  const busy = () => refuse.tooMuch('Too many sign-ins at the same time', 1)
  const admit = concurrencyLimit({...WAITING, clientOf, refuse: busy})
  const options: RouteShorthandOptions = {
    config,
    onRequest: async (request, reply) => admit(request, reply),
  }

  const fail = (request: FastifyRequest, reply: FastifyReply, failure: Failure) => {
    const isOurs = failure === 'unavailable'
    if (isOurs) logFailure(request, {reason: singleSignOn.provider.problem})
    return show(reply, isOurs ? 503 : 403, PROBLEMS[failure](singleSignOn.name))
  }

  app.get('/login/oidc', options, async (request, reply) => {
    const origin = access.originOf(request)
    const begun = await singleSignOn.begin(origin + CALLBACK, targetOf(request, access))
    if (typeof begun === 'string') return fail(request, reply, begun)
    return reply
      .headers({'cache-control': 'no-store', 'set-cookie': pendingCookie(origin, begun.cookie)})
      .redirect(begun.address, 302)
  })

  app.get(CALLBACK, options, async (request, reply) => {
    const origin = access.originOf(request)
    const cookie = pendingSignIn(request.headers.cookie, origin)
    // A proxy may have changed scheme and host: the provider compares with the address that it was given.
    const {search} = new URL(request.url, origin)
    const completed = await singleSignOn.finish(new URL(CALLBACK + search, origin), cookie)
    // Otherwise, the cookie may be that of another tab, whose sign-in goes on.
    if (completed !== 'began elsewhere') reply.header('set-cookie', pendingCookie(origin, ''))
    if (typeof completed === 'string') {
      const reason = `${singleSignOn.name}: ${completed}`
      access.audit.record({type: 'signIn.failed', method: 'oidc', reason, client: clientOf(request)})
      return fail(request, reply, completed)
    }
    const secret = startSession({access, request, reply}, completed, 'oidc', completed.session)
    singleSignOn.checks.began(secret, completed.tokens)
    return reply.headers(LOGIN_PAGE_HEADERS).send(continuePage(completed.to))
  })

  app.get('/login/oidc/sign-out', options, async (request, reply) => {
    const origin = access.originOf(request)
    const address = await singleSignOn.provider.signOutAddress(`${origin}/login`)
    return reply.header('cache-control', 'no-store').redirect(address ?? '/login', 302)
  })
}
