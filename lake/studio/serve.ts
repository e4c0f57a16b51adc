import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import type {FastifyInstance, RouteShorthandOptions} from 'fastify'
import {pathParam} from '../../common/http/pathParam.ts'
import type {PageAdditions} from '../lakeSettings.ts'
import {helpPages} from './helpPages.ts'
import {studioPages} from './pages.ts'
import {presence} from './presence.ts'
import {relayStreams} from './relay.ts'
import {type SocketsOptions, socketRoutes} from './sockets.ts'

type StudioOptions = SocketsOptions & {
  /** The folder in which Studio is built, or is being built. */
  readonly directory: string
  readonly additions?: (() => PageAdditions) | undefined
}

/** Serves Studio, and the routes that only Studio uses. */
export async function serveStudio(
  app: FastifyInstance,
  {directory, additions, ...options}: StudioOptions,
): Promise<void> {
  await mkdir(directory, {recursive: true})
  helpPages(app, join(directory, 'help'))
  studioPages(app, directory, additions)
  stubRoutes(app)
  app.register(async (scope) => {
    await socketRoutes(scope, options, [
      // Carries all event streams of a Studio tab. Over HTTP/1.1, a browser opens six connections to a host, and a tab with one open
      // document holds six event streams. Each stream is authorized separately, with the cookies of the socket.
      {path: '/_streams', connect: (socket) => relayStreams(scope, socket)},
      presence(),
    ])
  })
}

/** Releases may be as many as people look through. Studio counts none of a lake's. */
const RELEASE_LIMITS = {
  orgActiveReleaseLimit: 1_000,
  orgActiveReleaseCount: 0,
  orgMeteredActiveReleaseCount: 0,
  datasetReleaseLimit: 1_000,
  defaultOrgActiveReleaseLimit: 1_000,
}

/**
 * Requests that Studio sends to other Sanity services, which a lake does not have, with an empty response for
 * each. Studio works without them too, but fills the console with errors.
 */
const EMPTY: Readonly<Record<string, unknown>> = {
  // Upgrade offers, news, help, and the locations of the project's other Studios.
  '/journey/*': null,
  '/help': {resources: {sectionArray: []}},
  '/projects/:project/user-applications': [],
  '/intake/telemetry-status': {status: 'denied'},
  // Features of Sanity's plans that a lake has, and project managers: none.
  '/features': ['contentReleases', 'singleDocRelease'],
  '/subscriptions/project/:project': null,
  '/projects/:project/new-content-release-allowed': {data: RELEASE_LIMITS},
  '/projects/:project/grants': {},
  // References from other datasets: there are none.
  '/data/references/:dataset/documents/:id/to': {totalCount: 0, references: []},
  // Requests for more rights: people ask an administrator, whom messages name.
  '/access/requests/me': [],
  // Preferences, such as the order of a list. They last as long as the tab.
  '/users/me/keyvalue/:keys': [],
}

/** Registers the stub routes. */
function stubRoutes(app: FastifyInstance): void {
  // Studio checks whether the API is reachable, also before sign-in.
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
