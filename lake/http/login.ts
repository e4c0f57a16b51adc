import rateLimit from '@fastify/rate-limit'
import {bulkhead} from 'cockatiel'
import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import {concurrencyLimit} from '../../common/concurrencyLimit.ts'
import {type Access, sessionCookie} from '../access/access.ts'
import {Attempts} from '../access/attempts.ts'
import {loginPage, loginPageHeaders} from '../access/login-page.ts'
import type {Principal} from '../access/role.ts'
import {sessionLifetime} from '../access/sessions.ts'
import {HttpError} from '../errors.ts'
import {clientOf} from './client.ts'
import {refuse} from './errors.ts'
import {searchParam} from './request.ts'

/** Attempts to sign in from one address in {@link attemptWindow} milliseconds. A password takes scrypt 0.1 s. */
const maxAttempts = 10
const attemptWindow = 60_000
/**
 * Passwords that are compared at once. Each takes one of the four threads that files are read with, and 64 MiB; the
 * others wait in a line, two of one client.
 */
const comparedAtOnce = 2
const waiting = 20

/** Signing in and out: a page for people, and the end of a session as Studio asks for it. */
export async function loginRoutes(app: FastifyInstance, access: Access): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    max: maxAttempts,
    timeWindow: attemptWindow,
    errorResponseBuilder: (_request, {after}) =>
      new HttpError(429, `Too many attempts to sign in, try again in ${after}`),
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', {parseAs: 'string'}, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )
  const busy = () => refuse.tooMuch('Too many sign in at once', 1)
  const admit = concurrencyLimit({perClient: 2, total: comparedAtOnce + waiting, clientOf, refuse: busy})
  const limited = {
    config: {rateLimit: {}},
    bodyLimit: 10_000,
    // Once the form is there: who sends it slowly keeps nobody out.
    preHandler: async (request: FastifyRequest, reply: FastifyReply) => admit(request, reply),
  }
  const comparing = bulkhead(comparedAtOnce, waiting)
  const attempts = new Attempts()

  app.get('/login', {config: {rateLimit: {}}}, async (request, reply) => {
    const to = localPath(searchParam(request, 'to') ?? pathBack(request))
    const code = searchParam(request, 'code')
    if (code === undefined) return reply.headers(loginPageHeaders).send(loginPage({to}))
    const editor = await access.accounts.byLink(code)
    if (editor !== undefined) return signIn(request, reply, editor, to)
    const problem =
      'This link was used already, or is older than half an hour. Sign in, or ask for another one.'
    return reply.code(403).headers(loginPageHeaders).send(loginPage({to, problem}))
  })

  app.post('/login', limited, async (request, reply) => {
    access.requireOurPage(request)
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const to = localPath(form.get('to') ?? undefined)
    const email = form.get('email') ?? ''
    const client = clientOf(request)
    if (!attempts.mayTry(email, client)) {
      const problem =
        'Somebody tries many passwords for this e-mail address. Sign in where you did before, ask for a link, or wait a quarter of an hour.'
      return reply.code(429).headers(loginPageHeaders).send(loginPage({to, email, problem}))
    }
    const password = form.get('password') ?? ''
    const editor = await comparing.execute(() => access.accounts.byPassword(email, password))
    attempts.tried(email, client, editor !== undefined)
    if (editor !== undefined) return signIn(request, reply, editor, to)
    const problem = 'E-mail and password do not belong together.'
    return reply.code(403).headers(loginPageHeaders).send(loginPage({to, email, problem}))
  })

  const signOut = async (request: FastifyRequest, reply: FastifyReply) => {
    access.requireOurPage(request)
    const secret = access.sessionSecret(request)
    if (secret !== undefined) await access.sessions.end(secret)
    return reply
      .header('set-cookie', cookie(request, '', 0))
      .code(204)
      .send()
  }
  app.post('/v:version/auth/logout', signOut)

  app.get('/v:version/auth/providers', (request) => ({
    providers: [
      {name: 'handrail', title: 'E-mail and password', url: `http://${request.headers.host}/login`},
    ],
    thirdPartyLogin: true,
  }))

  async function signIn(request: FastifyRequest, reply: FastifyReply, editor: Principal, to: string) {
    const secret = await access.sessions.begin(editor.id)
    const lifetime = Math.floor(sessionLifetime / 1000)
    return reply.header('set-cookie', cookie(request, secret, lifetime)).redirect(to, 303)
  }
}

/** Strict: the cookie comes with no request that another site began. Secure wherever the page is. */
function cookie({headers}: FastifyRequest, secret: string, maxAge: number): string {
  const secure = headers['x-forwarded-proto'] === 'https' ? '; Secure' : ''
  return `${sessionCookie}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure}`
}

/** Studio sends the address to come back to as `origin`; of ours, the path is enough. */
function pathBack(request: FastifyRequest): string | undefined {
  const address = searchParam(request, 'origin') ?? ''
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.host === request.headers.host ? url?.pathname : undefined
}

/** A path on this server, whatever a link says: `//elsewhere.example` is none. */
function localPath(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])[^\s]*$/.test(to) ? to : '/'
}
