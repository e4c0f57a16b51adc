import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import type {FastifyInstance} from 'fastify'
import type {PageAdditions} from '../lakeSettings.ts'
import {helpPages} from './helpPages.ts'
import {studioPages} from './pages.ts'
import {presence} from './presence.ts'
import {relayStreams} from './relay.ts'
import {type SocketsOptions, socketRoutes} from './sockets.ts'
import {stubRoutes} from './stubRoutes.ts'

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
