import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import type {FastifyInstance} from 'fastify'
import type {PageAdditions} from './additions.ts'
import {helpPages} from './helpPages.ts'
import {studioPages} from './pages.ts'
import {presence} from './presence.ts'
import {Sockets, type SocketsOptions} from './sockets.ts'
import {stubRoutes} from './stubRoutes.ts'
import {streamTunnel} from './tunnel.ts'

export type StudioOptions = SocketsOptions & {
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
    const sockets = await Sockets.register(scope, options)
    sockets.add(streamTunnel(scope))
    sockets.add(presence())
  })
}
