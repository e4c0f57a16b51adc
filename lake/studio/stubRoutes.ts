import type {FastifyInstance, RouteShorthandOptions} from 'fastify'
import {pathParam} from '../http/request.ts'

/**
 * What Studio asks of Sanity's services around the content, and a lake has nothing of: the empty answer of each.
 * Without one Studio works as well, and fills the console with errors.
 */
const EMPTY: Readonly<Record<string, unknown>> = {
  // Offers to pay for more, news, help and where else a project's Studios are.
  '/journey/*': null,
  '/help': {resources: {sectionArray: []}},
  '/projects/:project/user-applications': [],
  '/intake/telemetry-status': {status: 'denied'},
  // What the plan includes, and who may manage the project: nothing, and nobody.
  '/features': [],
  '/projects/:project/grants': {},
  // Where comments would be kept.
  '/projects/:project/datasets': [],
  // References from other datasets, of which there are none.
  '/data/references/:dataset/documents/:id/to': {totalCount: 0, references: []},
  // Preferences, such as the order of a list: they last as long as the tab.
  '/users/me/keyvalue/:keys': [],
}

/** Answers for what is switched off. */
export function stubRoutes(app: FastifyInstance): void {
  // Studio asks whether the API can be reached, also before anyone signs in.
  for (const path of ['/ping', '/data/ping/:dataset'])
    app.get(`/v:version${path}`, {config: {access: 'open'}}, () => ({status: 'ok'}))

  const options: RouteShorthandOptions = {config: {access: 'read'}}
  for (const [path, answer] of Object.entries(EMPTY)) {
    app.get(`/v:version${path}`, options, (_request, reply) =>
      reply.type('application/json').send(JSON.stringify(answer)),
    )
  }
  app.get('/v:version/projects/:project', options, (request) => {
    const project = pathParam(request, 'project')
    return {
      id: project,
      displayName: project,
      organizationId: null,
      members: [],
      features: [],
      metadata: {},
    }
  })
  app.put('/v:version/users/me/keyvalue', options, ({body}) => body)
}
