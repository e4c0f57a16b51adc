import type {FastifyInstance} from 'fastify'

/**
 * What Studio asks of Sanity's services around the content, and a lake has nothing of: the empty answer of each.
 * Without one Studio works as well, and fills the console with errors.
 */
const empty: Readonly<Record<string, unknown>> = {
  // Is the way to the API there?
  '/ping': {status: 'ok'},
  '/data/ping/:dataset': {status: 'ok'},
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
export function quietRoutes(app: FastifyInstance): void {
  for (const [path, answer] of Object.entries(empty)) {
    app.get(`/v:version${path}`, (_request, reply) =>
      reply.type('application/json').send(JSON.stringify(answer)),
    )
  }
  app.get<{Params: {project: string}}>('/v:version/projects/:project', ({params: {project}}) => ({
    id: project,
    displayName: project,
    organizationId: null,
    members: [],
    features: [],
    metadata: {},
  }))
  app.put('/v:version/users/me/keyvalue', ({body}) => body)
}
