import type {FastifyReply, FastifyRequest} from 'fastify'
import type {Access} from '../../access/access.ts'
import type {SignedIn} from '../../access/accounts.ts'
import {browserName} from '../../access/signIn/browserName.ts'
import {sessionCookie} from '../../access/signIn/cookie.ts'
import type {SessionOptions} from '../../access/signIn/sessions.ts'
import {actorOf, type SignInMethod} from '../../audit/events.ts'
import {clientOf} from '../limits/client.ts'

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
