import type {FastifyInstance, FastifyRequest, RouteShorthandOptions} from 'fastify'
import {errorMessage} from '../../../../common/errorMessage.ts'
import {pathParam} from '../../../../common/http/pathParam.ts'
import type {Access} from '../../../access/access.ts'
import {isEmail} from '../../../access/accounts.ts'
import {Administration} from '../../../access/administration.ts'
import type {Principal} from '../../../access/principal.ts'
import {mayGive, parsePersonRights, parseRights, type Rights} from '../../../access/rights/rights.ts'
import {linkTo} from '../../../access/signInLink.ts'
import {actorOf} from '../../../audit/events.ts'
import {refuse} from '../../errors.ts'
import {admitted} from '../../gate.ts'
import {jsonBody} from '../../request.ts'
import {endSessions, shownSession} from './ownAccess.ts'

/** Maximum characters of a person's or a token's name. */
const MAX_NAME = 100

/**
 * Editors, their rights and sessions, and tokens, for "People" in Studio. Hosted Sanity has other routes for
 * this. `mayManage` says whether the administrator who asks may change an entry.
 */
export function peopleRoutes(app: FastifyInstance, access: Access): void {
  const {accounts} = access
  const administer: RouteShorthandOptions = {config: {access: 'administer'}}

  const administrationOf = (request: FastifyRequest) =>
    new Administration({
      accounts,
      audit: access.audit,
      by: actorOf(admitted(request)),
      isLimited: true,
      siteName: access.siteName,
    })

  const editorIn = (request: FastifyRequest): Principal => {
    const editor = accounts.editor(pathParam(request, 'id'))
    if (editor === undefined) throw refuse.notFound('This person is not an editor any more')
    return editor
  }

  app.get('/v:version/access/people', administer, async (request) => {
    const principal = admitted(request)
    const mayManage = (rights: Rights) => mayGive(principal.rights, rights)
    const shownEditors = accounts.editors().map((editor) => {
      const {id, name, email, rights, isInvited, usesSingleSignOn} = editor
      const isManaged = mayManage(rights)
      return {
        id,
        name,
        email,
        rights,
        mayManage: isManaged && id !== principal.id,
        isInvited,
        usesSingleSignOn,
        sessions: isManaged ? access.sessions.ofEditor(id).map(shownSession) : [],
      }
    })
    return {
      editors: shownEditors,
      tokens: accounts.tokens
        .all()
        .map(({id, name, rights}) => ({id, name, rights, mayManage: mayManage(rights)})),
    }
  })

  app.post('/v:version/access/people', administer, async (request) => {
    const {name, email, rights} = jsonBody(request)
    if (typeof email !== 'string' || !isEmail(email.trim()))
      throw refuse.badRequest('This is not an email address')
    const added = {name: parseName(name), email: email.trim(), rights: rightsOf(rights, parsePersonRights)}
    const {editor, code} = await administrationOf(request).invite(added)
    return {id: editor.id, link: linkTo(access.originOf(request), code)}
  })

  app.post('/v:version/access/people/:id/link', administer, async (request) => {
    const code = await administrationOf(request).makeLink(editorIn(request))
    return {link: linkTo(access.originOf(request), code)}
  })

  app.put('/v:version/access/people/:id/rights', administer, async (request) => {
    const rights = rightsOf(jsonBody(request).rights, parsePersonRights)
    const editor = await administrationOf(request).setRights(editorIn(request).email, rights)
    return {rights: editor.rights}
  })

  app.delete('/v:version/access/people/:id', administer, async (request, reply) => {
    await administrationOf(request).removeEditor(editorIn(request).email)
    return reply.code(204).send()
  })

  app.delete('/v:version/access/people/:id/sessions', administer, async (request, reply) => {
    const principal = admitted(request)
    const editor = editorIn(request)
    if (editor.id !== principal.id && !mayGive(principal.rights, editor.rights))
      throw refuse.forbidden(
        'You do not administer all sites of this person. Ask an administrator of all sites.',
      )
    endSessions(access, principal, editor, access.sessions.ofEditor(editor.id))
    return reply.code(204).send()
  })

  app.post('/v:version/access/tokens', administer, async (request) => {
    const {name, rights} = jsonBody(request)
    return administrationOf(request).addToken(parseName(name), rightsOf(rights))
  })

  app.delete('/v:version/access/tokens/:id', administer, async (request, reply) => {
    await administrationOf(request).removeTokens(pathParam(request, 'id'))
    return reply.code(204).send()
  })
}

function parseName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (name === '' || name.length > MAX_NAME || /\p{Cc}/u.test(name))
    throw refuse.badRequest(`A name has 1 to ${MAX_NAME} characters`)
  return name
}

function rightsOf(value: unknown, parse = parseRights): Rights {
  try {
    return parse(value)
  } catch (error) {
    throw refuse.badRequest(errorMessage(error))
  }
}
