import type {FastifyReply, FastifyRequest} from 'fastify'
import type {Access} from '../../access/access.ts'
import type {SignedIn} from '../../access/accounts.ts'
import {sessionCookie} from '../../access/signIn/cookie.ts'
import {browserName, type SessionOptions} from '../../access/signIn/sessions.ts'
import {actorOf, type SignInMethod} from '../../audit/events.ts'
import {clientOf} from '../limits/client.ts'
import {searchParam} from '../request.ts'

type Exchange = {readonly access: Access; readonly request: FastifyRequest; readonly reply: FastifyReply}

/**
 * Begins a session of an editor and adds its cookie to the response.
 * @returns the session's secret
 * @throws StateError when the session cannot be saved
 */
export function startSession(
  {access, request, reply}: Exchange,
  {editor, generation}: SignedIn,
  method: SignInMethod,
  options: SessionOptions = {},
): string {
  const browser = browserName(request.headers['user-agent'])
  const session = {browser, method, ...options}
  const secret = access.sessions.begin({editorId: editor.id, generation}, session)
  access.audit.record({type: 'signIn.succeeded', by: actorOf(editor), method, client: clientOf(request)})
  reply.header('set-cookie', sessionCookie(access.originOf(request), secret))
  return secret
}

/** A base URL whose origin no link can name. */
const NOWHERE = 'http://local.invalid'

/**
 * The path to continue at after signing in: `to` of the form or the query, or Studio's address, which Studio
 * sends as `origin`. Anything else becomes `/`.
 */
export function targetOf(request: FastifyRequest, access: Access, form?: URLSearchParams): string {
  const to = form?.get('to') ?? searchParam(request, 'to') ?? studioPath(request, access)
  return localPath(to) ?? '/'
}

/** The path of Studio's address, if it is on this lake. */
function studioPath(request: FastifyRequest, access: Access): string | undefined {
  const address = searchParam(request, 'origin') ?? ''
  if (!URL.canParse(address)) return undefined
  const {origin, host, pathname} = new URL(address)
  return origin === access.originOf(request) || host === request.headers.host ? pathname : undefined
}

/**
 * Returns a path on this server that is safe in a header; undefined for anything else. `//elsewhere.example`
 * is a URL on another host, `/.//elsewhere.example` becomes one, and control characters are not allowed in a
 * URL.
 */
function localPath(to: string | undefined): string | undefined {
  if (to === undefined || !/^\/[^\s\p{Cc}\\]*$/u.test(to) || !URL.canParse(to, NOWHERE)) return undefined
  const {origin, pathname, search, hash} = new URL(to, NOWHERE)
  return origin === NOWHERE && !pathname.startsWith('//') ? pathname + search + hash : undefined
}
