import type {FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions} from 'fastify'
import {logFailure} from '../../../common/http/failedRequests.ts'
import {StateError} from '../../../content/state/state.ts'
import type {Access} from '../../access/access.ts'
import type {SignedIn} from '../../access/accounts.ts'
import {sessionCookie} from '../../access/signIn/cookie.ts'
import {LOGIN_PAGE_HEADERS, linkPage, loginPage} from '../../access/signIn/loginPage.ts'
import {PROVIDER_SESSION_LIFETIME, SESSION_LIFETIME} from '../../access/signIn/sessions.ts'
import {actorOf, type SignInMethod} from '../../audit/events.ts'
import {HttpError} from '../../errors.ts'
import {refuse} from '../errors.ts'
import {clientOf} from '../limits/client.ts'
import {concurrencyLimit} from '../limits/concurrencyLimit.ts'
import {searchParam} from '../request.ts'
import {singleSignOnRoutes} from '../signIn/singleSignOn.ts'
import {startSession, targetOf} from '../signIn/startSession.ts'

/** Maximum sign-in attempts by one client within {@link ATTEMPT_WINDOW} milliseconds. */
const MAX_ATTEMPTS = 10
const ATTEMPT_WINDOW = 60_000
/** Maximum size of a form in bytes. Parsing time grows with the square of its length. */
const MAX_FORM_BYTES = 10_000
/** Maximum forms that are checked, or wait for that, at a time, and of one client. */
const CHECKED = {perClient: 2, total: 22}

const PROBLEMS = {
  link: 'This sign-in link does not work. A link works once, within half an hour, or within 3 days for an invitation, and until there is a newer one.',
  attempts:
    'Too many failed sign-ins for this email address. Use a browser in which you signed in before, ask for a sign-in link, or try again in 15 minutes.',
  password: 'Incorrect email or password.',
  passwords: 'Sign-in with a password is switched off.',
  credentials:
    'Sign-in is unavailable, because the server cannot read or save its credentials. Ask the operator to look at the log.',
}

type Shown = {readonly to: string; readonly email?: string; readonly problem?: string}

/** Signing in and out: pages for people, and the routes that Studio uses. */
export async function loginRoutes(app: FastifyInstance, access: Access): Promise<void> {
  await app.register(async (scope) => loginPages(scope, access))

  const onRequest = async (request: FastifyRequest) => access.requireOurPage(request)
  const options: RouteShorthandOptions = {config: {access: 'open'}, bodyLimit: 1_000, onRequest}
  app.post('/v:version/auth/logout', options, async (request, reply) => {
    const session = access.sessionOf(request)
    const editor = await access.identify(request)
    const record = () => {
      if (editor !== undefined)
        access.audit.record({type: 'signIn.ended', by: actorOf(editor), client: clientOf(request)})
    }
    if (session !== undefined) access.sessions.end([session.id], record)
    return reply
      .header('set-cookie', sessionCookie(access.originOf(request), ''))
      .code(204)
      .send()
  })

  app.get('/v:version/auth/providers', {config: {access: 'open'}}, (request) => ({
    providers: [{name: 'handrail', title: 'Sign-in page', url: `${access.originOf(request)}/login`}],
    thirdPartyLogin: true,
  }))
}

/** @param app an encapsulated scope: no other route parses forms */
function loginPages(app: FastifyInstance, access: Access): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', {parseAs: 'string'}, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof StateError)) throw error
    logFailure(request, {reason: error.message})
    return show(reply, 503, {to: continueAt(request), problem: PROBLEMS.credentials})
  })
  const rateLimit = {
    max: MAX_ATTEMPTS,
    timeWindow: ATTEMPT_WINDOW,
    errorResponseBuilder: (_request: FastifyRequest, {after}: {readonly after: string}) =>
      new HttpError(429, `Too many sign-in attempts, try again in ${after}`),
  }
  const busy = () => refuse.tooMuch('Too many sign-ins at the same time', 1)
  const admit = concurrencyLimit({...CHECKED, clientOf, refuse: busy})

  app.get('/login', {config: {access: 'open', rateLimit}}, async (request, reply) => {
    const to = continueAt(request)
    const code = searchParam(request, 'code')
    if (code === undefined) return show(reply, 200, {to})
    const editor = access.accounts.peekLink(code)
    if (editor === undefined) return show(reply, 403, {to, problem: PROBLEMS.link})
    return reply.headers(LOGIN_PAGE_HEADERS).send(linkPage({to, code, editor, passwords: access.passwords}))
  })

  const limited: RouteShorthandOptions = {
    config: {access: 'open', rateLimit},
    bodyLimit: MAX_FORM_BYTES,
    onRequest: async (request: FastifyRequest) => access.requireOurPage(request),
    // Runs after the form has arrived, so that a client that sends it slowly does not occupy a slot.
    preHandler: async (request: FastifyRequest, reply: FastifyReply) => admit(request, reply),
  }
  app.post('/login', limited, async (request, reply) => {
    const form = formOf(request)
    const to = continueAt(request)
    const code = form.get('code')
    if (code !== null) {
      const found = await access.accounts.redeemLink(code)
      if (found !== undefined) return signIn(request, reply, found, 'link')
      access.audit.record({type: 'signIn.failed', method: 'link', client: clientOf(request)})
      return show(reply, 403, {to, problem: PROBLEMS.link})
    }
    const email = form.get('email') ?? ''
    const client = clientOf(request)
    if (!access.passwords) {
      recordFailure(email, client)
      return show(reply, 403, {to, problem: PROBLEMS.passwords})
    }
    const found = await access.passwordChecks.check(email, form.get('password') ?? '', client)
    if (typeof found === 'object') return signIn(request, reply, found, 'password')
    recordFailure(email, client)
    return found === 'too many'
      ? show(reply, 429, {to, email, problem: PROBLEMS.attempts})
      : show(reply, 403, {to, email, problem: PROBLEMS.password})
  })

  const {singleSignOn} = access
  if (singleSignOn !== undefined) {
    singleSignOnRoutes(app, access, singleSignOn, {
      config: {access: 'open', rateLimit},
      show: (reply, status, problem) => show(reply, status, {to: '/', problem}),
    })
  }

  function recordFailure(email: string, client: string): void {
    const editor = access.accounts.byEmail(email)
    const about = editor && actorOf(editor)
    access.audit.record({type: 'signIn.failed', method: 'password', about, client})
  }

  async function signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    signedIn: SignedIn,
    method: SignInMethod,
  ) {
    const isProvided = access.accounts.editor(signedIn.editor.id)?.usesSingleSignOn
    const lifetime = isProvided ? PROVIDER_SESSION_LIFETIME : SESSION_LIFETIME
    startSession({access, request, reply}, signedIn, method, {lifetime})
    return reply.redirect(continueAt(request), 303)
  }

  function continueAt(request: FastifyRequest): string {
    return targetOf(request, access, formOf(request))
  }

  async function show(reply: FastifyReply, status: number, shown: Shown): Promise<FastifyReply> {
    const {passwords, singleSignOn} = access
    const page = loginPage({...shown, passwords, provider: singleSignOn?.name})
    return reply.code(status).headers(LOGIN_PAGE_HEADERS).send(page)
  }
}

function formOf({body}: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}
